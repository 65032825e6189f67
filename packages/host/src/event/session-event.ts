import type { Meta, SessionUpdate } from '@parley/acp';
import type { Settings } from '../agent-session/settings/settings.ts';
import type { HeldBy } from '../sandbox/sandbox-settings.ts';

/** A request to open a session was sent to the agent. */
export interface SessionOpeningEvent {
  readonly type: 'session-opening';
  readonly agent: string;
  /** Time limit for the response; for a stored session, limit for silence. */
  readonly limitMs: number;
}

/** The agent did not open the requested session. */
export interface SessionNotOpenedEvent {
  readonly type: 'session-not-opened';
  readonly agent: string;
}

/** The git worktree of a session. */
export interface SessionWorktree {
  readonly name: string;
  readonly path: string;
  readonly branch: string;
}

/** The session was opened and its id is known. Precedes all its other events. */
export interface SessionEvent {
  readonly type: 'session';
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  /** @default the folder is not one of Parley's worktrees */
  readonly worktree?: SessionWorktree;
  /** @default no sandbox */
  readonly sandbox?: HeldBy;
  /** A new session, one continued without its history, or one whose history is being replayed. */
  readonly origin: 'new' | 'resumed' | 'loaded';
}

/** The session is open; its history was replayed, if the agent does that. */
export interface SessionReadyEvent extends Settings {
  readonly type: 'session-ready';
  readonly sessionId: string;
}

/** The session was closed, or could not be opened. */
export interface SessionEndEvent {
  readonly type: 'session-end';
  readonly sessionId: string;
  readonly reason: 'closed' | 'agent-ended' | 'not-opened';
}

/** A session was opened again after a restart of its agent. */
export interface SessionRecoveredEvent {
  readonly type: 'session-recovered';
  /** Its previous id. */
  readonly sessionId: string;
  /** How it was recovered: without its history, with its history replayed, or as a new session. */
  readonly by: 'resume' | 'load' | 'new';
  /** The id of the new session. */
  readonly newSessionId?: string;
}

/** A session could not be opened again after a restart of its agent. */
export interface SessionLostEvent {
  readonly type: 'session-lost';
  readonly sessionId: string;
}

/** This side changed a setting; changes by the agent arrive as updates. */
export interface SettingsEvent extends Settings {
  readonly type: 'settings';
  readonly sessionId: string;
}

/** The agent sent `session/update`. */
export interface UpdateEvent {
  readonly type: 'update';
  readonly sessionId: string;
  /** The id of the sub-agent's session, for an event of a sub-agent. @default the session itself */
  readonly subagent?: string;
  /** The unmodified update. */
  readonly update: unknown;
  /** The update as JSON in one line; undefined if only the value is known. */
  readonly text: string | undefined;
  /** The `_meta` of the params, next to the update. */
  readonly meta?: Meta;
  /** The update as parsed by the schema. */
  readonly view: SessionUpdate;
  /** Set for updates of a turn that had already ended. */
  readonly late: boolean;
  /** Set for updates of a history that `session/load` replays. */
  readonly replay: boolean;
}
