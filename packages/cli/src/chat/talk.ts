import { showChanges, takeBack, type ChatChanges, type TakeBackOptions } from './chat-changes.ts';
import { parseChatLine } from './chat-line.ts';
import type { ChatSession } from './chat-session.ts';
import { failureLines } from './failure-lines.ts';
import type { LineSource } from './line-source.ts';
import type { PromptQueue } from './prompt-queue.ts';

/** What is said and done in a talk besides the turns of its session. */
export interface Talk extends TakeBackOptions {
  readonly lines: LineSource;
  /** What was typed while a turn ran. */
  readonly queue: PromptQueue;
  readonly flush: () => Promise<void>;
  /** Opens a new session with the same agent. */
  readonly renew: () => ReturnType<Parameters<ChatSession['open']>[0]>;
  readonly help: () => string;
  /** What the turns of the session changed. */
  readonly changes: () => ChatChanges;
  /** Returns whether the user signed in. */
  readonly signIn: () => Promise<boolean>;
  readonly signOut: () => Promise<void>;
  /** Whether the agent is gone. */
  readonly isOver: () => boolean;
}

/** Answers line after line until there is none. */
export async function talk(session: ChatSession, talking: Talk): Promise<void> {
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
        case 'changes':
          say(await showChanges(talking.changes()));
          break;
        case 'undo':
        case 'redo':
          await takeBack(command.kind, talking.changes(), talking);
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
      for (const complaint of failureLines(error)) complain(complaint);
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
  const stop = collectLines(session, { lines, queue });
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

/** Queues what is typed while a turn runs. Call what it gives back when that has ended. */
export function collectLines(
  session: ChatSession,
  { lines, queue }: Pick<Talk, 'lines' | 'queue'>,
): () => void {
  return lines.collect((line) => {
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
}
