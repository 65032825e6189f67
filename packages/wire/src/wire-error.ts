import type { RequestId } from './message.ts';

/**
 * What kept us from doing it.
 *
 * - `closed`: the connection ended before the answer came, or was closed already.
 * - `timeout`: no answer within the request's time.
 * - `idle`: nothing was heard from the peer for the request's idle time.
 * - `stalled`: the peer stopped reading, and our messages could not leave.
 * - `overloaded`: a bound of LIMITS.md was reached.
 * - `too-large`: the answer was longer than the transport takes.
 * - `invalid-message`: the peer's answer was no JSON-RPC answer.
 * - `not-serializable`: JSON cannot hold what we were asked to send.
 */
export type WireErrorCode =
  | 'closed'
  | 'timeout'
  | 'idle'
  | 'stalled'
  | 'overloaded'
  | 'too-large'
  | 'invalid-message'
  | 'not-serializable';

/** Which call failed. */
export interface WireErrorOptions extends ErrorOptions {
  readonly method?: string;
  readonly id?: RequestId;
}

/** The call failed on its way: no peer rejected it. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly code: WireErrorCode;
  readonly method?: string;
  readonly id?: RequestId;

  constructor(code: WireErrorCode, message: string, options: WireErrorOptions = {}) {
    super(message, options);
    this.code = code;
    if (options.method !== undefined) this.method = options.method;
    if (options.id !== undefined) this.id = options.id;
  }
}
