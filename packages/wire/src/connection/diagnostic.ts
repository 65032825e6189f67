import type { RequestId } from '../message.ts';

/**
 * What was odd, and survived.
 *
 * - `malformed`, `encoding`, `too-large`, `truncated`: a frame that was no message (see FrameFault).
 * - `invalid-message`: JSON, but not JSON-RPC 2.0.
 * - `duplicate-id`: a request came under the id of one that is not answered yet; it was refused.
 * - `unknown-answer`: an answer to a request we never sent, or a second answer.
 * - `late-answer`: the answer to a request that timed out here. That to a cancelled one is expected, and not reported.
 * - `uncorrelated-error`: an error with id null: the peer could not read something we sent.
 * - `handler-failed`: a handler threw something other than an RpcError.
 * - `not-serializable`: a handler's result that JSON cannot hold.
 * - `overloaded`: a bound was reached.
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

/** Something odd that did not end the connection. Messages never hold parameters or results. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly method?: string;
  readonly id?: RequestId;
  /** For frames: how long the frame was. */
  readonly bytes?: number;
  /** For frames: the first characters, as the peer wrote them. */
  readonly head?: string;
  /** For `handler-failed` and `not-serializable`: what was thrown. */
  readonly error?: unknown;
}
