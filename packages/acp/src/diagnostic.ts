/**
 * What was odd in the protocol, and survived.
 *
 * - `invalid-params`: a notification that breaks the protocol was ignored.
 * - `not-initialized`: a notification came before `initialize` and was ignored.
 * - `unknown-notification`: the method is unknown; ignored.
 * - `unknown-session`: a notification names a session that is not open here.
 * - `unknown-variant`: an update of a kind that this version does not know; delivered with its raw value.
 * - `late-update`: an update of a turn came after the answer to its prompt; delivered.
 */
export type AcpDiagnosticCode =
  | 'invalid-params'
  | 'not-initialized'
  | 'unknown-notification'
  | 'unknown-session'
  | 'unknown-variant'
  | 'late-update';

/** Something odd that did not end the connection. Messages never hold what a user or a model wrote. */
export interface AcpDiagnostic {
  readonly code: AcpDiagnosticCode;
  readonly message: string;
  readonly method: string;
  readonly sessionId?: string;
}
