import { openConversation, prepareConversation, type Conversation } from '../conversation/conversation.ts';
import { Ending } from '../conversation/ending.ts';
import { parseConversationFlags } from '../conversation/flags.ts';
import { outcomeOfEnding, outcomeOfError } from '../conversation/outcome.ts';
import { toLastWords } from '../output/last-words.ts';
import { toPlainText } from '../output/plain.ts';
import { listenForSignals } from '../run/signals.ts';
import type { Surroundings } from '../surroundings.ts';
import type { TypedAgentFlags } from './asks-agent.ts';

/** An agent that was started to be asked. */
export interface AskedAgent {
  readonly conversation: Conversation;
  readonly signal: AbortSignal;
}

/** Starts the agent, asks, and ends it. Gives the exit status, which is that of the failure where there was one. */
export async function atAgent(
  { agent, command, cwd, config }: TypedAgentFlags,
  surroundings: Surroundings,
  ask: (asked: AskedAgent) => Promise<number>,
): Promise<number> {
  const { stderr } = surroundings;
  const typed = {
    ...(agent !== undefined && { agent }),
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    ...(config !== undefined && { config }),
  };
  const flags = parseConversationFlags(typed, surroundings.cwd);
  const log = (message: string): void => {
    stderr.write(`parley: ${toPlainText(message)}\n`);
  };
  const warn = (_code: string, message: string): void => {
    log(`warning: ${message}`);
  };
  const ending = new Ending();
  using _signals = listenForSignals(ending);
  let lastWords = (): string => '';
  try {
    const prepared = await prepareConversation(flags, surroundings, { warn, signal: ending.begun });
    await using conversation = await openConversation(prepared, {
      warn,
      signal: ending.begun,
      // What it tells of a history goes into the journal; here only the answers count.
      onEvent: () => undefined,
    });
    lastWords = () => conversation.handle.stderrTail();
    return await ask({ conversation, signal: ending.begun });
  } catch (error) {
    const outcome =
      ending.cause === undefined ? outcomeOfError(error) : outcomeOfEnding(ending.cause, undefined);
    log(outcome.error?.message ?? String(error));
    for (const line of toLastWords(lastWords())) log(line);
    return outcome.exitStatus;
  }
}
