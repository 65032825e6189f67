/**
 * What a diagnostic is about.
 *
 * - `stdout-noise`: a line that is no message.
 * - `invalid-utf8`, `oversized-line`, `truncated-line`: a line that could not be read; it was skipped.
 * - `invalid-message`: JSON, but no message of the protocol.
 * - `unexpected-answer`: an answer without a request.
 * - `unknown-variant`: a kind of update, of permission option, or a stop reason that we do not know; it is passed on as
 *   it came.
 * - `ignored-notification`: a notification that breaks the protocol, or is unknown; it was ignored.
 * - `unknown-session`: something about a session that is not open.
 * - `late-update`: an update of a turn that had ended.
 * - `cancel-error`: a cancelled prompt was answered with an error instead of `cancelled`.
 * - `agent-ended`: the agent did not end a cancelled turn in time and was ended.
 * - `not-recovered`: a session, or one of its settings, could not be had again after its agent was started again.
 * - `close-failed`: the agent did not close a session as it was asked to.
 * - `answers`: remembered answers could not be read, or an answer not be kept.
 * - `not-stored`: what happens in the session cannot be stored; its turn was cancelled.
 * - `changes`: what turns change is not covered, because git is missing for example, or a checkpoint failed.
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
  | 'not-recovered'
  | 'close-failed'
  | 'answers'
  | 'not-stored'
  | 'changes'
  | 'limit-reached'
  | 'handler-failed';

/** Something odd that was survived. */
export interface DiagnosticEvent {
  readonly type: 'diagnostic';
  readonly level: 'info' | 'warning' | 'error';
  readonly code: DiagnosticCode;
  readonly message: string;
}
