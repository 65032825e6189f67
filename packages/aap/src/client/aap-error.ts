import type { ReceivedAgentMessage } from '../received.ts';

/** What a server said besides the status. */
export interface AapErrorOptions extends ErrorOptions {
  readonly status: number;
  readonly code?: string;
  readonly requestId?: string;
  readonly details?: unknown;
  readonly retryAfterMs?: number;
}

/** The server said no. */
export class AapError extends Error {
  override readonly name = 'AapError';
  /** The status of HTTP. */
  readonly status: number;
  /** The server's word for it, where it has one. */
  readonly code?: string;
  /** Under which the server logged it. */
  readonly requestId?: string;
  readonly details?: unknown;
  /** When to try again, where the server said so. */
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
 * What kept us from it.
 *
 * - `unreachable`: no answer came; `cause` says why.
 * - `invalid-answer`: the answer was not what the protocol says.
 * - `invalid-id`: no path can hold the id.
 * - `too-large`: the answer was longer than a bound of LIMITS.md.
 */
export type AapClientErrorCode = 'unreachable' | 'invalid-answer' | 'invalid-id' | 'too-large';

/** We could not: the server did not say no, the call failed on its way. */
export class AapClientError extends Error {
  override readonly name = 'AapClientError';
  readonly code: AapClientErrorCode;

  constructor(code: AapClientErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What was known of a turn when its stream broke. */
export interface InterruptedTurn extends ErrorOptions {
  readonly messages: readonly ReceivedAgentMessage[];
  readonly turnId?: string;
  readonly lastEventId?: string;
}

/** A stream ended before the turn did, and could not be resumed. The turn may continue on the server. */
export class StreamInterrupted extends Error {
  override readonly name = 'StreamInterrupted';
  /** What had come until then. */
  readonly messages: readonly ReceivedAgentMessage[];
  readonly turnId?: string;
  /** Where to go on. */
  readonly lastEventId?: string;

  constructor(message: string, turn: InterruptedTurn) {
    super(message, turn);
    this.messages = turn.messages;
    if (turn.turnId !== undefined) this.turnId = turn.turnId;
    if (turn.lastEventId !== undefined) this.lastEventId = turn.lastEventId;
  }
}
