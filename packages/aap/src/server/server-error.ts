/**
 * Why an operation of an agent or an embedding program failed.
 *
 * - `invalid-agent`: the description of an agent is invalid.
 * - `store-failed`: the store could not write.
 * - `overloaded`: an agent ignored backpressure.
 * - `run-over`: the run was cancelled.
 * - `unknown-tool`: the application has no such tool.
 * - `invalid-input`: the input does not match the tool's schema.
 * - `open-call`: a call with that id has no result yet.
 * - `not-json`: an emitted or stored value cannot be converted to JSON, or is nested too deeply.
 */
export type AapServerErrorCode =
  | 'invalid-agent'
  | 'store-failed'
  | 'overloaded'
  | 'run-over'
  | 'unknown-tool'
  | 'invalid-input'
  | 'open-call'
  | 'not-json';

/**
 * A failed operation of an agent, or of the program that embeds the server. Applications receive a `RequestError`
 * instead.
 */
export class AapServerError extends Error {
  override readonly name = 'AapServerError';
  readonly code: AapServerErrorCode;

  constructor(code: AapServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
