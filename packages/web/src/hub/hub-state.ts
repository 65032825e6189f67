import {
  agentsAfter,
  questionsAfter,
  type AttendResult,
  type HubAgent,
  type HubChanges,
  type HubQuestion,
  type HubSession,
  type SettledQuestion,
} from '@parley/host/hub';
import { keptSettled } from '../limits.ts';

/** How the connection to the hub is. */
export type ConnectionState =
  /** By the clock of the page, which only goes forward. */
  | { readonly state: 'connecting'; readonly since: number }
  | { readonly state: 'open' }
  /** It is tried again at a time of that clock. */
  | { readonly state: 'waiting'; readonly retryAt: number; readonly attempts: number }
  /** The cookie does not count any more. */
  | { readonly state: 'signed-out' };

/** What is on the hub, as far as it is known here. */
export interface HubState {
  readonly connection: ConnectionState;
  /** Whether the hub has sent its content at least once. */
  readonly isKnown: boolean;
  readonly sessions: ReadonlyMap<string, HubSession>;
  readonly agents: readonly HubAgent[];
  /** The requests that wait for the user, the oldest first. */
  readonly questions: readonly HubQuestion[];
  /** What became of the questions that were settled last, the newest last. */
  readonly settled: readonly SettledQuestion[];
  readonly workspaces: readonly string[];
  /** Who we are, as others see it. */
  readonly person: string;
  /** Our token is read-only. */
  readonly isObserver: boolean;
  /** Our token is for everything, also for what sessions share. */
  readonly isAdmin: boolean;
  /** Of the server. */
  readonly version: string;
  /** The server is not the one that this page came from any more: parts of the page may be gone. */
  readonly isOutdated: boolean;
}

/** The hub before anything is known of it. */
export const unknownHub: HubState = {
  connection: { state: 'connecting', since: 0 },
  isKnown: false,
  sessions: new Map(),
  agents: [],
  questions: [],
  settled: [],
  workspaces: [],
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
    isObserver: scope === 'observe',
    isAdmin: scope === 'admin',
    sessions: new Map(known.sessions.map((session) => [session.key, session])),
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
  return { ...hub, agents, questions, settled, sessions: sessionsAfter(hub.sessions, changes) };
}

function sessionsAfter(
  before: ReadonlyMap<string, HubSession>,
  { sessions = [], removed = [] }: HubChanges,
): ReadonlyMap<string, HubSession> {
  if (sessions.length === 0 && removed.length === 0) return before;
  const after = new Map(before);
  for (const session of sessions) after.set(session.key, session);
  for (const key of removed) after.delete(key);
  return after;
}
