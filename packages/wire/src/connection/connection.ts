import type { CloseReason } from '../transport.ts';
import type { RequestOptions } from './pending.ts';

/** One end of a JSON-RPC 2.0 conversation. */
export interface Connection extends AsyncDisposable {
  /**
   * Asks the peer.
   *
   * @throws {RpcError} The peer said no, or the request was cancelled (-32800).
   * @throws {WireError} There was no answer; the code says why.
   */
  request<T = unknown>(method: string, params?: unknown, options?: RequestOptions<T>): Promise<T>;
  /**
   * Sends a notification. Settles at once while there is room, and later when the peer is behind.
   *
   * @throws {WireError} `closed`, `overloaded`, `stalled`, `not-serializable`.
   */
  notify(method: string, params?: unknown): Promise<void>;
  /** Aborted as soon as the connection begins to end. */
  readonly signal: AbortSignal;
  /** Why the connection ended, once everything is settled. Never rejects. */
  readonly closed: Promise<CloseReason>;
  /**
   * Lets what was sent leave, then ends the connection. With the reason `end-of-input`, handlers get their time to
   * answer, as if the peer had closed its side. Never rejects.
   */
  close(reason?: CloseReason): Promise<void>;
}
