import type { Meta, SessionUpdate } from '@parley/acp';
import type { Settings } from '../agent-session/settings/settings.ts';

/** The agent is asked to open a session. */
export interface SessionOpeningEvent {
  readonly type: 'session-opening';
  readonly agent: string;
  /** How long it may take to answer; of a session that it keeps, how long it may be silent. */
  readonly limitMs: number;
}

/** The agent did not open the session that it was asked for. */
export interface SessionNotOpenedEvent {
  readonly type: 'session-not-opened';
  readonly agent: string;
}

/** The git worktree that a session works in. */
export interface SessionWorktree {
  readonly name: string;
  readonly path: string;
  readonly branch: string;
}

/** A session's id is known. Comes before anything else about that session. */
export interface SessionEvent {
  readonly type: 'session';
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  /** @default the folder is no worktree of ours */
  readonly worktree?: SessionWorktree;
  /** A new session, one continued without its history, or one whose history is being replayed. */
  readonly origin: 'new' | 'resumed' | 'loaded';
}

/** The session is open: the agent has replayed its history, where it does. */
export interface SessionReadyEvent extends Settings {
  readonly type: 'session-ready';
  readonly sessionId: string;
}

/** The session is not open any more, or could not be opened. */
export interface SessionEndEvent {
  readonly type: 'session-end';
  readonly sessionId: string;
  readonly reason: 'closed' | 'agent-ended' | 'not-opened';
}

/** A session is open again, with an agent that was started again. */
export interface SessionRecoveredEvent {
  readonly type: 'session-recovered';
  /** As it was called before. */
  readonly sessionId: string;
  /** Continued without its history, with its history replayed, or not at all: a new one was begun in its place. */
  readonly by: 'resume' | 'load' | 'new';
  /** The new one. */
  readonly newSessionId?: string;
}

/** Where a session of a supervised agent stands. */
export type SessionPhase = 'starting' | 'ready' | 'running' | 'waiting' | 'stopping' | 'closed' | 'failed';

/** A session of a supervised agent has another state. */
export interface SessionPhaseEvent {
  readonly type: 'session-state';
  readonly sessionId: string;
  readonly state: SessionPhase;
}

/** This side changed a setting; what the agent changes comes as an update. */
export interface SettingsEvent extends Settings {
  readonly type: 'settings';
  readonly sessionId: string;
}

/** The agent sent `session/update`. */
export interface UpdateEvent {
  readonly type: 'update';
  readonly sessionId: string;
  /** The update exactly as it came. */
  readonly update: unknown;
  /** The same as JSON, in one line; undefined when only the value is known. */
  readonly text: string | undefined;
  /** What the agent said beside the update, in the params' own `_meta`. */
  readonly meta?: Meta;
  /** The update as the schema reads it. */
  readonly view: SessionUpdate;
  /** Part of a turn, though the turn had ended already. */
  readonly late: boolean;
  /** Part of a history that `session/load` replays. */
  readonly replay: boolean;
}
