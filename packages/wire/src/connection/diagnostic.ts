import type { RequestId } from '../message.ts';

/**
 * Codes of irregularities that did not end the connection.
 *
 * - `malformed`, `encoding`, `too-large`, `truncated`: a frame without a message (see FrameFault).
 * - `invalid-message`: JSON, but not JSON-RPC 2.0.
 * - `duplicate-id`: a request used the id of one that is not answered yet; it was rejected.
 * - `unknown-answer`: a response to a request that was never sent, or a second response.
 * - `late-answer`: the response to a request that timed out. A response to a cancelled request is expected, and not
 * reported.
 * - `uncorrelated-error`: an error with id null: the peer could not read a message.
 * - `handler-failed`: a handler threw something other than an RpcError.
 * - `not-serializable`: a handler returned a result that cannot be converted to JSON.
 * - `overloaded`: a limit was reached.
 * - `dropped`: messages were still unhandled when the connection closed.
 */
export type DiagnosticCode =
  | 'malformed'
  | 'encoding'
  | 'too-large'
  | 'truncated'
  | 'invalid-message'
  | 'duplicate-id'
  | 'unknown-answer'
  | 'late-answer'
  | 'uncorrelated-error'
  | 'handler-failed'
  | 'not-serializable'
  | 'overloaded'
  | 'dropped';

/** An irregularity that did not end the connection. Messages never contain params or results. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly method?: string;
  readonly id?: RequestId;
  /** For frames: the length of the frame. */
  readonly bytes?: number;
  /** For frames: the first characters, as received. */
  readonly head?: string;
  /** For `handler-failed` and `not-serializable`: the thrown value. */
  readonly error?: unknown;
}
