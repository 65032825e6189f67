import type { FrameFault } from '../framing/frame-fault.ts';
import type { ParamTexts } from '../framing/repeated-notification.ts';
import type { Clock } from '../time/clock.ts';
import type { Connection } from './connection.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { LaneKey } from './lanes.ts';
import type { Limits } from './limits.ts';
import type { RequestHandler } from './served-requests.ts';

/** A frame that an observer sees. */
export interface ObservedFrame {
  readonly direction: 'in' | 'out';
  /** Milliseconds since 1970, with fractions. */
  readonly time: number;
  /** The message; absent when the frame held none. */
  readonly message?: unknown;
  /** What was wrong with the frame. */
  readonly fault?: FrameFault;
}

/** What a connection does with what it receives. */
export interface ConnectionOptions {
  /** The lane whose order a message keeps; ACP: its session. @default one lane for all */
  readonly laneOf?: (method: string, params: unknown) => LaneKey;
  /** Answers requests. @default every method is answered -32601 */
  readonly onRequest?: RequestHandler;
  /**
   * Takes a notification. One that returns a promise holds its lane until it settles. In a stream of notifications that
   * differ in one param, the text of that param is there too, for who wants to keep it as it came.
   */
  readonly onNotification?: (
    method: string,
    params: unknown,
    connection: Connection,
    texts?: ParamTexts,
  ) => void | Promise<void>;
  /** Hears of what was odd and survived. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** Sees every frame, in both directions, before it is handled or written. */
  readonly observe?: (frame: ObservedFrame) => void;
  /** Whether a frame that holds no message is answered with an error, id null. @default true */
  readonly answerFaults?: boolean;
  /** Milliseconds for each request. @default no limit */
  readonly requestTimeoutMs?: number;
  /** Milliseconds without a word from the peer, for each request. @default no limit */
  readonly idleTimeoutMs?: number;
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
}
