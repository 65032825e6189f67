import type { CloseReason } from '../transport.ts';
import type { RequestOptions } from './pending.ts';

/** One end of a JSON-RPC 2.0 connection. */
export interface Connection extends AsyncDisposable {
  /**
   * Sends a request and returns its result.
   *
   * @throws {RpcError} The peer rejected the request, or it was cancelled (-32800).
   * @throws {WireError} No response arrived; the code says why.
   */
  request<T = unknown>(method: string, params?: unknown, options?: RequestOptions<T>): Promise<T>;
  /**
   * Sends a notification. Settles immediately while there is buffer space, otherwise when the peer has caught up.
   *
   * @throws {WireError} `closed`, `overloaded`, `stalled`, `not-serializable`.
   */
  notify(method: string, params?: unknown): Promise<void>;
  /** Aborted as soon as the connection starts to close. */
  readonly signal: AbortSignal;
  /** Settles with the reason for the end once all requests are settled. Never rejects. */
  readonly closed: Promise<CloseReason>;
  /**
   * Writes what is buffered, then closes the connection. With the reason `end-of-input`, running handlers may still
   * respond, as if the peer had closed its side. Never rejects.
   */
  close(reason?: CloseReason): Promise<void>;
}
