import { acpCodes } from '@parley/acp';
import { HostError, Redaction, withSignIn, type AgentConnection } from '@parley/host';
import { RpcError } from '@parley/wire';
import { openConversation, type Conversation } from '../conversation/conversation.ts';
import { Ending } from '../conversation/ending.ts';
import { parseConversationFlags } from '../conversation/flags.ts';
import { outcomeOfEnding, outcomeOfError } from '../conversation/outcome.ts';
import { prepareConversation } from '../conversation/prepare-conversation.ts';
import { toLastWords } from '../output/last-words.ts';
import { toPlainText } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import { createPerson } from '../question/person.ts';
import { createTerminal } from '../question/terminal.ts';
import { listenForSignals } from '../run/signals.ts';
import type { Surroundings } from '../surroundings.ts';
import type { TypedAgentFlags } from './asks-agent.ts';

/** An agent that was started to be asked. */
export interface AskedAgent {
  readonly conversation: Conversation;
  /** Hides the secrets of the agent in what it answers. */
  readonly redaction: Redaction;
  readonly signal: AbortSignal;
}

/**
 * Starts the agent, asks, and ends it; where it needs a sign-in, the user signs in, and it is asked once more. Returns the
 * exit status, which is that of the failure where there was one.
 */
export async function atAgent(
  { agent, command, cwd, config }: TypedAgentFlags,
  surroundings: Surroundings,
  ask: (asked: AskedAgent) => Promise<number>,
): Promise<number> {
  const { stdin, stderr, env } = surroundings;
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true;
  const typed = {
    ...(agent !== undefined && { agent }),
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    ...(config !== undefined && { config }),
  };
  const flags = parseConversationFlags(typed, surroundings.cwd);
  // Of the agent, once it is known which one.
  let redaction = new Redaction([]);
  const log = (message: string): void => {
    stderr.write(`parley: ${toPlainText(redaction.text(message))}\n`);
  };
  const warn = (_code: string, message: string): void => {
    log(`warning: ${message}`);
  };
  const ending = new Ending();
  using _signals = listenForSignals(ending);
  let lastWords = (): string => '';
  try {
    const prepared = await prepareConversation(flags, surroundings, { warn, signal: ending.begun });
    ({ redaction } = prepared);
    let agentName = prepared.spec.name;
    await using conversation = await openConversation(prepared, {
      warn,
      signal: ending.begun,
      // A history that it replays goes into the event log; here only the answers count.
      onEvent: () => undefined,
      ...(isTerminal && {
        interact: createPerson({
          terminal: createTerminal(stdin, stderr),
          style: createStyle(true, env),
          agentName: () => agentName,
          makeRoom: () => Promise.resolve(),
          onQuestion: () => () => undefined,
        }),
      }),
    });
    ({ agentName } = conversation);
    lastWords = () => conversation.handle.stderrTail();
    const attempt = async (): Promise<number> => {
      try {
        return await ask({ conversation, redaction, signal: ending.begun });
      } catch (error) {
        throw withSignInMethods(error, conversation.handle);
      }
    };
    return await withSignIn(attempt, () => conversation.signIn(ending.begun));
  } catch (error) {
    const outcome =
      ending.cause === undefined ? outcomeOfError(error) : outcomeOfEnding(ending.cause, undefined);
    log(outcome.error?.message ?? String(error));
    for (const line of toLastWords(lastWords(), outcome.exitStatus)) log(line);
    return outcome.exitStatus;
  }
}

/** What is asked of an agent directly is refused by its code alone; how to sign in, it has said before. */
function withSignInMethods(error: unknown, { name, authMethods }: AgentConnection): unknown {
  if (!(error instanceof RpcError) || error.code !== acpCodes.authRequired) return error;
  const message = `${JSON.stringify(name)} wants to be signed in: ${error.message}`;
  return new HostError('auth-required', message, { cause: error, authMethods });
}
