import type { FrameFault } from '../framing/frame-fault.ts';
import type { ParamTexts } from '../framing/repeated-notification.ts';
import type { Clock } from '../time/clock.ts';
import type { Connection } from './connection.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { LaneKey } from './lanes.ts';
import type { Limits } from './limits.ts';
import type { RequestHandler } from './served-requests.ts';

/** A frame that is passed to an observer. */
export interface ObservedFrame {
  readonly direction: 'in' | 'out';
  /** Milliseconds since 1970, with fractions. */
  readonly time: number;
  /** The message; absent if the frame contained none. */
  readonly message?: unknown;
  /** Why the frame could not be read. */
  readonly fault?: FrameFault;
}

/** The handlers and limits of a connection. */
export interface ConnectionOptions {
  /**
   * Returns the lane of a message: messages of a lane are handled in order. ACP: the session. @default one lane for
   * all
   */
  readonly laneOf?: (method: string, params: unknown) => LaneKey;
  /** Handles requests. @default every request is rejected with -32601 */
  readonly onRequest?: RequestHandler;
  /**
   * Handles notifications. A handler that returns a promise blocks its lane until the promise settles. In a stream of
   * notifications that differ in one param only, `texts` has the exact text of that param.
   */
  readonly onNotification?: (
    method: string,
    params: unknown,
    connection: Connection,
    texts?: ParamTexts,
  ) => void | Promise<void>;
  /** Receives irregularities that did not end the connection. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** Receives every frame, in both directions, before it is handled or written. */
  readonly observe?: (frame: ObservedFrame) => void;
  /** Whether a frame without a message is answered with an error with id null. @default true */
  readonly answerFaults?: boolean;
  /** Whether an invalid request that has an id is answered under it. @default false: with id null */
  readonly echoInvalidIds?: boolean;
  /** Time limit for each request, in milliseconds. @default no limit */
  readonly requestTimeoutMs?: number;
  /** Limit for silence of the peer, for each request, in milliseconds. @default no limit */
  readonly idleTimeoutMs?: number;
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
}
