import { HostError, type AgentHandle } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { openConversation, prepareConversation } from '../conversation/conversation.ts';
import { Ending } from '../conversation/ending.ts';
import { parseConversationFlags, type TypedConversationFlags } from '../conversation/flags.ts';
import { outcomeOfError } from '../conversation/outcome.ts';
import { exitStatus, statusOfError } from '../exit-status.ts';
import { toLastWords } from '../output/last-words.ts';
import { toPlainText } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import { createWriter } from '../output/writer.ts';
import { createPerson } from '../question/person.ts';
import { createTerminal } from '../question/terminal.ts';
import { askTrust } from '../question/trust-question.ts';
import type { Surroundings } from '../surroundings.ts';
import { readVersion } from '../version.ts';
import { ChatSession } from './chat-session.ts';
import { parseChatLine } from './command.ts';
import { pipedLines, typedLines, type LineSource } from './line-source.ts';
import { listenForChatSignals } from './signals.ts';
import { help, welcome } from './welcome.ts';

/** `parley chat`: a conversation, line by line. Gives the exit status. */
export async function chat(typed: TypedConversationFlags, surroundings: Surroundings): Promise<number> {
  const flags = parseConversationFlags(typed, surroundings.cwd);
  const { stdin, stdout, stderr, env } = surroundings;
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true;
  const ending = new Ending();
  const writer = createWriter(stdout);
  writer.closed.addEventListener('abort', () => {
    ending.begin(new CliError('output-closed', 'nobody reads the output any more'));
  });
  const log = (message: string): void => {
    stderr.write(`parley: ${toPlainText(message)}\n`);
  };
  const style = createStyle(stdout.isTTY === true, env);
  const session = new ChatSession({ writer, style, isScreen: stdout.isTTY === true, log });
  using _signals = listenForChatSignals(session, ending);
  let agent: AgentHandle | undefined;

  try {
    const warn = (_code: string, message: string): void => {
      log(`warning: ${message}`);
    };
    const terminal = createTerminal(stdin, stderr);
    const prepared = await prepareConversation(flags, surroundings, {
      warn,
      signal: ending.begun,
      ...(isTerminal && {
        confirmTrust: (wish) =>
          askTrust(wish, { terminal, style: createStyle(true, env), signal: ending.begun }),
      }),
    });
    let agentName = prepared.source.name;
    await using conversation = await openConversation(prepared, {
      warn,
      signal: ending.begun,
      onEvent: (event) => session.take(event),
      ...(isTerminal && {
        interact: createPerson({
          terminal,
          style: createStyle(true, env),
          agentName: () => agentName,
          makeRoom: () => session.makeRoom(),
          onQuestion: () => () => undefined,
        }),
      }),
    });
    agent = conversation.handle;
    agentName = conversation.agentName;
    await session.open(() => conversation.openSession(flags.session, ending.begun));
    const model = session.models().current;
    writer.write(
      welcome({
        version: readVersion(),
        agentName,
        isOwnAgent: prepared.source.kind === 'own',
        cwd: flags.cwd,
        style,
        ...(model !== undefined && { model }),
      }),
    );
    const lines = isTerminal
      ? typedLines(stdin, stdout.isTTY === true ? stdout : stderr, '> ', ending.begun)
      : pipedLines(stdin, ending.begun);
    await talk(lines, session, {
      flush: () => writer.flush(),
      say: (text) => {
        writer.write(text);
      },
      complain: log,
      renew: () => conversation.openSession({ kind: 'new' }, ending.begun),
    });
  } catch (error) {
    if (ending.cause === undefined) return reportFailure(error, agent, log);
  }
  await writer.flush();
  return ending.cause === undefined ? exitStatus.done : statusOfError(ending.cause.code);
}

interface Talk {
  readonly flush: () => Promise<void>;
  readonly say: (text: string) => void;
  readonly complain: (message: string) => void;
  /** Opens a new session with the same agent. */
  readonly renew: () => ReturnType<Parameters<ChatSession['open']>[0]>;
}

/** Answers line after line until there is none. */
async function talk(
  lines: LineSource,
  session: ChatSession,
  { flush, say, complain, renew }: Talk,
): Promise<void> {
  for (;;) {
    await flush();
    const line = await lines.next();
    if (line === undefined) return;
    try {
      const command = parseChatLine(
        line,
        session.commands.map(({ name }) => name),
      );
      switch (command.kind) {
        case 'nothing':
          break;
        case 'prompt':
          await session.prompt(command.text);
          say('\n');
          break;
        case 'help':
          say(help(session.commands));
          break;
        case 'mode':
          say(await session.chooseMode(command.id));
          break;
        case 'model':
          say(await session.chooseModel(command.id));
          break;
        case 'new':
          await session.open(renew);
          say('A new session has begun.\n');
          break;
        case 'exit':
          return;
        case 'unknown':
          complain(`there is no command /${command.name}; /help shows what there is`);
          break;
      }
    } catch (error) {
      if (isOver(error)) throw error;
      complain(outcomeOfError(error).error?.message ?? String(error));
    }
  }
}

/** Whether there is nobody left to talk with. What the agent only refused is said, and the talk goes on. */
function isOver(error: unknown): boolean {
  if (!(error instanceof HostError)) return false;
  return error.code === 'agent-exited' || error.code === 'closed' || error.code === 'aborted';
}

function reportFailure(
  error: unknown,
  agent: AgentHandle | undefined,
  log: (message: string) => void,
): number {
  const outcome = outcomeOfError(error);
  const lastWords = (error instanceof HostError ? error.stderr : undefined) ?? agent?.stderrTail() ?? '';
  for (const line of [outcome.error?.message ?? String(error), ...toLastWords(lastWords)]) log(line);
  return outcome.exitStatus;
}
