import { turnCount, type SessionState } from '@parley/host/state';
import type { Style } from '../output/style.ts';
import { showChanges, takeBack, type ChatChanges, type TakeBackOptions } from './chat-changes.ts';
import type { ChatSession } from './chat-session.ts';
import { parseChatLine } from './console/chat-line.ts';
import type { LineSource } from './console/line-source.ts';
import { failureLines } from './failure-lines.ts';
import { historyText, resumedTurns } from './history-text.ts';
import type { PromptQueue } from './prompt-queue.ts';

/** What a chat shows and does besides the turns of its session. */
export interface Talk extends TakeBackOptions {
  readonly lines: LineSource;
  /** What was typed while a turn ran. */
  readonly queue: PromptQueue;
  readonly flush: () => Promise<void>;
  /** Opens a new session with the same agent. */
  readonly renew: () => ReturnType<Parameters<ChatSession['open']>[0]>;
  readonly help: () => string;
  /** The session as it is stored, with its turns. */
  readonly history: () => Promise<SessionState | undefined>;
  readonly style: Style;
  readonly columns: () => number;
  /** What the turns of the session changed. */
  readonly changes: () => ChatChanges;
  /** Returns whether the user signed in. */
  readonly signIn: () => Promise<boolean>;
  readonly signOut: () => Promise<void>;
  /** Whether the agent has ended. */
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
          say('Started a new session.\n');
          break;
        case 'login':
          say((await signIn()) ? 'Signed in.\n' : 'Not signed in.\n');
          break;
        case 'logout':
          await signOut();
          say('Signed out.\n');
          break;
        case 'history':
          await showHistory(command.turns, talking);
          break;
        case 'last':
          say(session.lastResult());
          break;
        case 'subagents':
          say(session.subagents(command.words, await talking.history()));
          break;
        case 'queue':
          changeQueue(command.words, talking);
          break;
        case 'changes':
          say(await showChanges(talking.changes()));
          break;
        case 'undo':
        case 'redo':
          await takeBack(command, talking.changes(), talking);
          break;
        case 'exit':
          return;
        case 'unknown':
          complain(`unknown command /${command.name}; /help lists the commands`);
          break;
      }
    } catch (error) {
      // What the agent refused, or died of, is shown, and the chat continues.
      if (isOver()) throw error;
      for (const complaint of failureLines(error)) complain(complaint);
    }
  }
}

/** Shows the last turns of the session. */
export async function showHistory(
  last: number | undefined,
  { history, say, style, columns }: Pick<Talk, 'history' | 'say' | 'style' | 'columns'>,
): Promise<void> {
  const state = await history();
  const isEmpty = state === undefined || turnCount(state) === 0;
  if (isEmpty) {
    say('No turn of this session is stored.\n');
    return;
  }
  const shown = { style, columns: columns(), last: last ?? resumedTurns };
  for (const piece of historyText(state, shown)) say(piece);
}

function changeQueue(words: string, { lines, queue, say }: Pick<Talk, 'lines' | 'queue' | 'say'>): void {
  const reply = queue.change(words);
  if ('draft' in reply) lines.prefill(reply.draft);
  else say(`${reply.said}\n`);
}

/** What is typed meanwhile is sent when the turn has ended; when the user stopped it, once the user says so. */
async function takeTurn(
  text: string,
  session: ChatSession,
  talking: Pick<Talk, 'lines' | 'queue' | 'history' | 'say'>,
): Promise<string> {
  const { queue } = talking;
  const stop = collectLines(session, talking);
  try {
    if (await session.prompt(text)) queue.hold();
    return '\n';
  } finally {
    stop();
  }
}

/** Queues what is typed while a turn runs. Call what this returns when that has ended. */
export function collectLines(
  session: ChatSession,
  { lines, queue, history, say }: Pick<Talk, 'lines' | 'queue' | 'history' | 'say'>,
): () => void {
  return lines.collect((line, isSent) => {
    const command = parseChatLine(line, []);
    if (command.kind === 'queue') {
      const reply = queue.change(command.words);
      if ('draft' in reply) return reply.draft;
      session.remark(reply.said);
      return undefined;
    }
    if (command.kind === 'subagents') {
      showSubagents(command.words).catch((error: unknown) => {
        for (const complaint of failureLines(error)) session.remark(complaint);
      });
    } else if (command.kind === 'prompt' && isSent) void steer(command.text);
    else wait(line);
    return undefined;
  });

  async function showSubagents(words: string): Promise<void> {
    const text = session.subagents(words, await history().catch(() => undefined));
    await session.makeRoom();
    say(text);
  }

  /** Where the agent does not take it into the turn, it waits for the end of that. */
  async function steer(text: string): Promise<void> {
    const isTaken = await session.steer(text).catch((error: unknown) => {
      session.remark(String(error));
      return true;
    });
    if (!isTaken) wait(text);
  }

  function wait(line: string): void {
    queue.add(line);
    session.remark(
      queue.length === 1
        ? 'queued: sent when this turn ends; /queue edits it'
        : `queued: number ${String(queue.length)}`,
    );
  }
}
