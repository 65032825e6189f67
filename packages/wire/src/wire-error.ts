import type { RequestId } from './message.ts';

/**
 * Why a call failed.
 *
 * - `closed`: the connection ended before the response arrived, or was already closed.
 * - `timeout`: no response arrived within the time limit.
 * - `idle`: the peer was silent for too long.
 * - `stalled`: the peer stopped reading, and messages could not be written.
 * - `overloaded`: a limit was reached.
 * - `too-large`: the response was longer than the transport accepts.
 * - `invalid-message`: the response was not a JSON-RPC response.
 * - `not-serializable`: a value cannot be converted to JSON.
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

/** Options of a `WireError`. */
export interface WireErrorOptions extends ErrorOptions {
  readonly method?: string;
  readonly id?: RequestId;
}

/** A call that failed locally or on the way; the peer did not reject it. */
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
