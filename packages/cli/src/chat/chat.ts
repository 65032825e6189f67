import { HostError } from '@parley/host';
import { CliError } from '../cli-error.ts';
import { openConversation, prepareConversation, type Conversation } from '../conversation/conversation.ts';
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
import { farewell } from './farewell.ts';
import { pipedLines, typedLines, type LineSource } from './line-source.ts';
import { PromptQueue } from './prompt-queue.ts';
import { listenForChatSignals } from './signals.ts';
import { watchStart } from './slow-start.ts';
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
  using startWatch = watchStart(log);
  let opened: Conversation | undefined;
  let failure: number | undefined;

  try {
    const warn = (_code: string, message: string): void => {
      log(`warning: ${message}`);
    };
    const queue = new PromptQueue();
    const terminal = createTerminal(stdin, stderr);
    const lines = isTerminal
      ? typedLines(stdin, {
          output: stdout.isTTY === true ? stdout : stderr,
          prompt: '> ',
          isDumb: env['TERM'] === 'dumb',
          queue,
          giveWay: (onWanted) => session.giveWay(onWanted),
          signal: ending.begun,
        })
      : pipedLines(stdin, ending.begun);
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
      onEvent: (event) => {
        startWatch.take(event);
        return session.take(event);
      },
      isKeptAlive: true,
      ...(isTerminal && {
        interact: createPerson({
          terminal,
          style: createStyle(true, env),
          agentName: () => agentName,
          makeRoom: () => session.makeRoom(),
          onQuestion: () => lines.hold(),
        }),
      }),
    });
    opened = conversation;
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
    await talk(session, {
      lines,
      queue,
      flush: () => writer.flush(),
      say: (text) => {
        writer.write(text);
      },
      complain: log,
      renew: () => conversation.openSession({ kind: 'new' }, ending.begun),
      help: () => {
        const { authMethods, capabilities } = conversation.handle;
        return help({
          agentCommands: session.commands,
          hasLogin: isTerminal && authMethods.length > 0,
          hasLogout: capabilities.auth?.logout !== undefined,
        });
      },
      signIn: () => conversation.signIn(ending.begun),
      signOut: () => conversation.handle.logout({ signal: ending.begun }),
      isOver: () => !conversation.isAlive || ending.begun.aborted,
    });
  } catch (error) {
    if (ending.cause === undefined) failure = reportFailure(error, opened, log);
  }
  const { spokenIn: sessionId } = session;
  if (isTerminal && opened !== undefined && sessionId !== undefined) {
    const { capabilities } = opened.handle;
    writer.write(style.dim(farewell({ sessionId, flags, capabilities, cwd: surroundings.cwd })));
  }
  await writer.flush();
  if (failure !== undefined) return failure;
  return ending.cause === undefined ? exitStatus.done : statusOfError(ending.cause.code);
}

interface Talk {
  readonly lines: LineSource;
  /** What was typed while a turn ran. */
  readonly queue: PromptQueue;
  readonly flush: () => Promise<void>;
  readonly say: (text: string) => void;
  readonly complain: (message: string) => void;
  /** Opens a new session with the same agent. */
  readonly renew: () => ReturnType<Parameters<ChatSession['open']>[0]>;
  readonly help: () => string;
  /** Gives whether somebody signed in. */
  readonly signIn: () => Promise<boolean>;
  readonly signOut: () => Promise<void>;
  /** Whether there is nobody left to talk with. */
  readonly isOver: () => boolean;
}

/** Answers line after line until there is none. */
async function talk(session: ChatSession, talking: Talk): Promise<void> {
  const { lines, flush, say, complain, renew, help: toHelp, signIn, signOut, isOver } = talking;
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
          say(await takeTurn(command.text, session, talking));
          break;
        case 'help':
          say(toHelp());
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
        case 'login':
          say((await signIn()) ? 'You are signed in.\n' : 'You did not sign in.\n');
          break;
        case 'logout':
          await signOut();
          say('You are signed out.\n');
          break;
        case 'last':
          say(session.lastResult());
          break;
        case 'queue':
          changeQueue(command.words, talking);
          break;
        case 'exit':
          return;
        case 'unknown':
          complain(`there is no command /${command.name}; /help shows what there is`);
          break;
      }
    } catch (error) {
      // What the agent refused, or died of, is said, and the talk goes on.
      if (isOver()) throw error;
      for (const complaint of linesAbout(error)) complain(complaint);
    }
  }
}

function changeQueue(words: string, { lines, queue, say }: Pick<Talk, 'lines' | 'queue' | 'say'>): void {
  const reply = queue.change(words);
  if ('draft' in reply) lines.prefill(reply.draft);
  else say(`${reply.said}\n`);
}

/** What is typed meanwhile is sent when the turn has ended, unless that was cancelled. Gives what is to be said of it. */
async function takeTurn(
  text: string,
  session: ChatSession,
  { lines, queue }: Pick<Talk, 'lines' | 'queue'>,
): Promise<string> {
  const stop = lines.collect((line) => {
    const command = parseChatLine(line, []);
    if (command.kind === 'queue') {
      const reply = queue.change(command.words);
      if ('draft' in reply) return reply.draft;
      session.remark(reply.said);
      return undefined;
    }
    queue.add(line);
    session.remark(
      queue.length === 1
        ? 'queued: sent when this turn has ended; /queue edits, Ctrl-C drops it'
        : `queued: number ${String(queue.length)}`,
    );
    return undefined;
  });
  try {
    if (!(await session.prompt(text))) return '\n';
  } finally {
    stop();
  }
  const dropped = queue.clear();
  if (dropped === 0) return '\n';
  return dropped === 1
    ? '(not sent: what was queued)\n\n'
    : `(not sent: ${String(dropped)} queued prompts)\n\n`;
}

/** What went wrong, and what the agent wrote last where it is gone. */
function linesAbout(error: unknown, lastWords = ''): readonly string[] {
  const message = outcomeOfError(error).error?.message ?? String(error);
  return [message, ...toLastWords((error instanceof HostError ? error.stderr : undefined) ?? lastWords)];
}

function reportFailure(
  error: unknown,
  conversation: Conversation | undefined,
  log: (message: string) => void,
): number {
  for (const line of linesAbout(error, conversation?.handle.stderrTail())) log(line);
  return outcomeOfError(error).exitStatus;
}
