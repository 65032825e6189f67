import {
  agentsAfter,
  questionsAfter,
  type AttendResult,
  type HubAgent,
  type HubChanges,
  type HubMachine,
  type HubQuestion,
  type HubSession,
  type MarkedSessions,
  type SessionMark,
  type SettledQuestion,
} from '@parley/host/hub';
import { keptSettled } from '../limits.ts';
import { plainTitle } from '../parts/plain-title.ts';

/** How the connection to the hub is. */
export type ConnectionState =
  /** By the clock of the page, which only goes forward. */
  | { readonly state: 'connecting'; readonly since: number }
  | { readonly state: 'open' }
  /** It is tried again at a time of that clock. */
  | { readonly state: 'waiting'; readonly retryAt: number; readonly attempts: number }
  /** The cookie does not count any more. */
  | { readonly state: 'signed-out' };

/** The state of the hub, as far as the page knows it. */
export interface HubState {
  readonly connection: ConnectionState;
  /** Whether the hub has sent its lists at least once. */
  readonly isKnown: boolean;
  readonly sessions: ReadonlyMap<string, HubSession>;
  readonly agents: readonly HubAgent[];
  /** The requests that wait for the user, the oldest first. */
  readonly questions: readonly HubQuestion[];
  /** The sessions that the user pinned or archived. */
  readonly marks: SessionMarks;
  /** What became of the questions that were settled last, the newest last. */
  readonly settled: readonly SettledQuestion[];
  /** Counts the changes of the list of worktrees. */
  readonly worktreeChanges: number;
  readonly workspaces: readonly string[];
  /** Those that serve the same sessions; none without a database. */
  readonly machines: readonly HubMachine[];
  /** The user's name, as others see it. */
  readonly person: string;
  /** Our token is read-only. */
  readonly isObserver: boolean;
  /** Whether the token has the scope `admin`, which includes settings that all sessions share. */
  readonly isAdmin: boolean;
  /** Of the server. */
  readonly version: string;
  /** Whether the server has another version than this page: parts of the page may be missing. */
  readonly isOutdated: boolean;
}

/** Which sessions the user pinned, and which are archived. A session is never both. */
export type SessionMarks = Readonly<Record<SessionMark, ReadonlySet<string>>>;

/** The state before the first message of the hub. */
export const unknownHub: HubState = {
  connection: { state: 'connecting', since: 0 },
  isKnown: false,
  sessions: new Map(),
  agents: [],
  questions: [],
  marks: { pinned: new Set(), archived: new Set() },
  settled: [],
  worktreeChanges: 0,
  workspaces: [],
  machines: [],
  person: '',
  isObserver: false,
  isAdmin: false,
  version: '',
  isOutdated: false,
};

/** The hub as it is sent to a client that connects. */
export function withAttendance(hub: HubState, { scope, ...known }: AttendResult): HubState {
  return {
    ...hub,
    ...known,
    marks: toMarks(known.marks),
    isObserver: scope === 'observe',
    isAdmin: scope === 'admin',
    sessions: new Map(known.sessions.map((session) => [session.key, withPlainTitle(session)])),
    isKnown: true,
    isOutdated: hub.isOutdated || (hub.isKnown && hub.version !== known.version),
  };
}

/** The hub after changes. */
export function withChanges(hub: HubState, changes: HubChanges): HubState {
  const agents = agentsAfter(hub.agents, changes);
  const questions = questionsAfter(hub.questions, changes);
  const settled =
    changes.settled === undefined ? hub.settled : [...hub.settled, ...changes.settled].slice(-keptSettled);
  return {
    ...hub,
    agents,
    questions,
    marks: changes.marks === undefined ? hub.marks : toMarks(changes.marks),
    settled,
    sessions: sessionsAfter(hub.sessions, changes),
    machines: changes.machines ?? hub.machines,
    worktreeChanges: hub.worktreeChanges + Number(changes.worktrees ?? false),
  };
}

function sessionsAfter(
  before: ReadonlyMap<string, HubSession>,
  { sessions = [], removed = [] }: HubChanges,
): ReadonlyMap<string, HubSession> {
  if (sessions.length === 0 && removed.length === 0) return before;
  const after = new Map(before);
  for (const session of sessions) after.set(session.key, withPlainTitle(session));
  for (const key of removed) after.delete(key);
  return after;
}

function toMarks({ pinned, archived }: MarkedSessions): SessionMarks {
  return { pinned: new Set(pinned), archived: new Set(archived) };
}

function withPlainTitle(session: HubSession): HubSession {
  return session.title === undefined ? session : { ...session, title: plainTitle(session.title) };
}
