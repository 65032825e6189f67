import type { PermissionOption, SessionUpdate } from '@parley/acp';

/** Something a person or a script may want to see, in the order it happened. */
export type HostEvent =
  | SessionEvent
  | UpdateEvent
  | PermissionEvent
  | ElicitationEvent
  | DiagnosticEvent
  | StderrEvent;

/** A session's id is known. Comes before anything else about that session. */
export interface SessionEvent {
  readonly type: 'session';
  readonly sessionId: string;
  readonly cwd: string;
  /** A new session, one continued without its history, or one whose history is being told again. */
  readonly origin: 'new' | 'resumed' | 'loaded';
}

/** The agent sent `session/update`. */
export interface UpdateEvent {
  readonly type: 'update';
  readonly sessionId: string;
  /** The update exactly as it came. */
  readonly update: unknown;
  /** The update as the schema reads it. */
  readonly view: SessionUpdate;
  /** Part of a turn, though the turn had ended already. */
  readonly late: boolean;
  /** Part of a history that `session/load` tells again. */
  readonly replay: boolean;
}

/** Who decided: an approval level, a configured rule, a person, or nobody because no person was there. */
export type DecidedBy = 'flag' | 'rule' | 'person' | 'nobody';

/** A permission was asked for and answered. */
export interface PermissionEvent {
  readonly type: 'permission';
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly options: readonly PermissionOption[];
  /** The id of the chosen option, or `cancelled`. */
  readonly decision: string;
  readonly by: DecidedBy;
  readonly reason: string;
}

/** The agent asked a question, and it was answered. */
export interface ElicitationEvent {
  readonly type: 'elicitation';
  readonly sessionId?: string;
  readonly message: string;
  readonly mode: string;
  /** `accept`, `decline` or `cancel`. */
  readonly action: string;
  readonly by: 'person' | 'nobody';
}

/**
 * What a diagnostic is about.
 *
 * - `stdout-noise`: a line that is no message.
 * - `invalid-utf8`, `oversized-line`, `truncated-line`: a line that could not be read; it was skipped.
 * - `invalid-message`: JSON, but no message of the protocol.
 * - `unexpected-answer`: an answer nobody waits for.
 * - `unknown-variant`: an update of a kind we do not know; it is passed on as it came.
 * - `ignored-notification`: a notification that breaks the protocol, or that nobody knows; it was ignored.
 * - `unknown-session`: something about a session that is not open.
 * - `late-update`: an update of a turn that had ended.
 * - `cancel-error`: a cancelled prompt was answered with an error instead of `cancelled`.
 * - `agent-ended`: the agent did not end a cancelled turn in time and was ended.
 * - `close-failed`: the agent did not close a session as it was asked to.
 * - `limit-reached`: a bound of LIMITS.md was reached.
 * - `handler-failed`: something of ours threw.
 */
export type DiagnosticCode =
  | 'stdout-noise'
  | 'invalid-utf8'
  | 'oversized-line'
  | 'truncated-line'
  | 'invalid-message'
  | 'unexpected-answer'
  | 'unknown-variant'
  | 'ignored-notification'
  | 'unknown-session'
  | 'late-update'
  | 'cancel-error'
  | 'agent-ended'
  | 'close-failed'
  | 'limit-reached'
  | 'handler-failed';

/** Something odd that was survived. */
export interface DiagnosticEvent {
  readonly type: 'diagnostic';
  readonly level: 'info' | 'warning' | 'error';
  readonly code: DiagnosticCode;
  readonly message: string;
}

/** Text the agent wrote to standard error. */
export interface StderrEvent {
  readonly type: 'stderr';
  readonly text: string;
}
