/**
 * Codes of protocol irregularities that did not end the connection.
 *
 * - `invalid-params`: a notification that violates the protocol was ignored.
 * - `not-initialized`: a notification before `initialize` was ignored.
 * - `unknown-notification`: a notification with an unknown method was ignored.
 * - `unknown-session`: a notification names a session that is not open.
 * - `unknown-variant`: an update of an unknown kind was delivered with its raw value.
 * - `invalid-announcement`: a session announced itself, an ancestor, or a sub-agent of another session; ignored.
 * - `late-update`: an update of a turn arrived after the response to its prompt, and was delivered.
 */
export type AcpDiagnosticCode =
  | 'invalid-params'
  | 'not-initialized'
  | 'unknown-notification'
  | 'unknown-session'
  | 'unknown-variant'
  | 'invalid-announcement'
  | 'late-update';

/** An irregularity that did not end the connection. Messages never contain text of a user or a model. */
export interface AcpDiagnostic {
  readonly code: AcpDiagnosticCode;
  readonly message: string;
  readonly method: string;
  readonly sessionId?: string;
}
