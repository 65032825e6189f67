/** The contents of a line of a recording. */
export type RecordingEntry = RecordingHead | RecordedFrame | RecordedFault | UnreadableLine;

/** The first line. Times are milliseconds since 1970. */
export interface RecordingHead {
  readonly kind: 'head';
  readonly time?: number;
  readonly program?: string;
  readonly agent?: string;
  readonly cwd?: string;
}

/** The direction of a frame: `out` is to the agent, `in` from it. */
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

/** A frame without a message. */
export interface RecordedFault {
  readonly kind: 'fault';
  readonly seq: number;
  readonly time?: number;
  readonly direction: FrameDirection;
  readonly code: string;
  /** The length of the whole line, if the recording contains it. */
  readonly bytes?: number;
  /** Its first characters. */
  readonly head: string;
}

/** A line that cannot be read: it is incomplete, or not part of a recording. */
export interface UnreadableLine {
  readonly kind: 'unreadable';
  /** The line number in the file. */
  readonly line: number;
  readonly why: string;
}
