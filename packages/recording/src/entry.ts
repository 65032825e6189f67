/** What a line of a recording holds. */
export type RecordingEntry = RecordingHead | RecordedFrame | RecordedFault | UnreadableLine;

/** The first line, as far as it is known. Times are milliseconds since 1970. */
export interface RecordingHead {
  readonly kind: 'head';
  readonly time?: number;
  readonly program?: string;
  readonly agent?: string;
  readonly cwd?: string;
}

/** Which way a frame went: `out` is to the agent, `in` from it. */
export type FrameDirection = 'in' | 'out';

/** A message. */
export interface RecordedFrame {
  readonly kind: 'frame';
  readonly seq: number;
  /** Absent in files of other tools. */
  readonly time?: number;
  readonly direction: FrameDirection;
  readonly message: unknown;
}

/** What came instead of a message. */
export interface RecordedFault {
  readonly kind: 'fault';
  readonly seq: number;
  readonly time?: number;
  readonly direction: FrameDirection;
  readonly code: string;
  /** Length of the whole line, where the recording says it. */
  readonly bytes?: number;
  /** Its first characters. */
  readonly head: string;
}

/** A line of the file that says nothing: it was torn, or is not from a recording. */
export interface UnreadableLine {
  readonly kind: 'unreadable';
  /** The line's number in the file. */
  readonly line: number;
  readonly why: string;
}
