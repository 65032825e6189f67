import type {
  AttendResult,
  DeskAgent,
  DeskNews,
  DeskQuestion,
  DeskSession,
  SettledQuestion,
} from '@parley/host/desk';
import { keptSettled } from '../limits.ts';

/** How the connection to the desk is. */
export type ConnectionState =
  /** By the clock of the page, which only goes forward. */
  | { readonly state: 'connecting'; readonly since: number }
  | { readonly state: 'open' }
  /** It is tried again at a time of that clock. */
  | { readonly state: 'waiting'; readonly retryAt: number; readonly attempts: number }
  /** The cookie does not count any more. */
  | { readonly state: 'signed-out' };

/** What is on the desk, as far as it has been told. */
export interface DeskState {
  readonly connection: ConnectionState;
  /** Whether the desk has told what is on it, at least once. */
  readonly isKnown: boolean;
  readonly sessions: ReadonlyMap<string, DeskSession>;
  readonly agents: readonly DeskAgent[];
  /** What waits for a person, the oldest first. */
  readonly questions: readonly DeskQuestion[];
  /** What became of the questions that were settled last, the newest last. */
  readonly settled: readonly SettledQuestion[];
  readonly workspaces: readonly string[];
  /** Who we are, as others see it. */
  readonly person: string;
  /** We may only look. */
  readonly isObserver: boolean;
  /** Of the server. */
  readonly version: string;
  /** The server is not the one that this page came from any more: parts of the page may be gone. */
  readonly isOutdated: boolean;
}

/** The desk before anything is known of it. */
export const unknownDesk: DeskState = {
  connection: { state: 'connecting', since: 0 },
  isKnown: false,
  sessions: new Map(),
  agents: [],
  questions: [],
  settled: [],
  workspaces: [],
  person: '',
  isObserver: false,
  version: '',
  isOutdated: false,
};

/** The desk as it tells of itself to those who come to it. */
export function withAttendance(desk: DeskState, known: AttendResult): DeskState {
  return {
    ...desk,
    ...known,
    isObserver: known.isObserver === true,
    sessions: new Map(known.sessions.map((session) => [session.key, session])),
    isKnown: true,
    isOutdated: desk.isOutdated || (desk.isKnown && desk.version !== known.version),
  };
}

/** The desk after news. */
export function withNews(desk: DeskState, news: DeskNews): DeskState {
  const { agents = desk.agents, questions = desk.questions } = news;
  const settled =
    news.settled === undefined ? desk.settled : [...desk.settled, ...news.settled].slice(-keptSettled);
  return { ...desk, agents, questions, settled, sessions: sessionsAfter(desk.sessions, news) };
}

function sessionsAfter(
  before: ReadonlyMap<string, DeskSession>,
  { sessions = [], removed = [] }: DeskNews,
): ReadonlyMap<string, DeskSession> {
  if (sessions.length === 0 && removed.length === 0) return before;
  const after = new Map(before);
  for (const session of sessions) after.set(session.key, session);
  for (const key of removed) after.delete(key);
  return after;
}
