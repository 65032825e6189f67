/**
 * What went wrong on this side of the protocol.
 *
 * - `invalid-agent`: what an agent says of itself cannot be offered.
 * - `store-failed`: the store could not keep something.
 * - `overloaded`: an agent did not wait for backpressure.
 * - `run-over`: the run is not wanted any more.
 * - `unknown-tool`: the application has no such tool.
 * - `invalid-input`: its tool takes no such input.
 * - `open-call`: there is a call of that id without a result.
 * - `not-json`: what it emits or stores cannot be written as JSON, or is nested too deep.
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

/** The server could not do what an agent, or the program that runs it, asked for. What applications are refused is a `RequestError`. */
export class AapServerError extends Error {
  override readonly name = 'AapServerError';
  readonly code: AapServerErrorCode;

  constructor(code: AapServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
