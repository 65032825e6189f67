import type { ReceivedAgentMessage } from '../received.ts';

/** Options of an `AapError`. */
export interface AapErrorOptions extends ErrorOptions {
  readonly status: number;
  readonly code?: string;
  readonly requestId?: string;
  readonly details?: unknown;
  readonly retryAfterMs?: number;
}

/** A rejection by the server. */
export class AapError extends Error {
  override readonly name = 'AapError';
  /** The HTTP status code. */
  readonly status: number;
  /** The server's error code, if any. */
  readonly code?: string;
  /** The id under which the server logged the request. */
  readonly requestId?: string;
  readonly details?: unknown;
  /** The delay before a retry that the server requested. */
  readonly retryAfterMs?: number;

  constructor(message: string, options: AapErrorOptions) {
    super(message, options);
    this.status = options.status;
    if (options.code !== undefined) this.code = options.code;
    if (options.requestId !== undefined) this.requestId = options.requestId;
    if (options.details !== undefined) this.details = options.details;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * Why a call failed on the client's side.
 *
 * - `unreachable`: no response arrived; `cause` is the reason.
 * - `invalid-answer`: the response violates the protocol.
 * - `invalid-id`: the id cannot be part of a path.
 * - `too-large`: the response exceeded a limit.
 */
export type AapClientErrorCode = 'unreachable' | 'invalid-answer' | 'invalid-id' | 'too-large';

/** A call that failed on the way; the server did not reject it. */
export class AapClientError extends Error {
  override readonly name = 'AapClientError';
  readonly code: AapClientErrorCode;

  constructor(code: AapClientErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The state of a turn whose stream broke. */
export interface InterruptedTurn extends ErrorOptions {
  readonly messages: readonly ReceivedAgentMessage[];
  readonly turnId?: string;
  readonly lastEventId?: string;
}

/** A stream ended before its turn, and could not be resumed. The turn may continue on the server. */
export class StreamInterrupted extends Error {
  override readonly name = 'StreamInterrupted';
  /** The messages received so far. */
  readonly messages: readonly ReceivedAgentMessage[];
  readonly turnId?: string;
  /** The event to continue from. */
  readonly lastEventId?: string;

  constructor(message: string, turn: InterruptedTurn) {
    super(message, turn);
    this.messages = turn.messages;
    if (turn.turnId !== undefined) this.turnId = turn.turnId;
    if (turn.lastEventId !== undefined) this.lastEventId = turn.lastEventId;
  }
}
