import type { FrameDirection, RecordedFault } from './entry.ts';

/** A frame to be recorded: a message, or the fault of a frame without one. */
export interface WrittenFrame {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly direction: FrameDirection;
  readonly message?: unknown;
  readonly fault?: Pick<RecordedFault, 'code' | 'head'> & { readonly bytes: number };
}

/** Formats the first line of a recording, with its newline. */
export function headLine(head: Readonly<Record<string, unknown>>, time: number): string {
  return `${JSON.stringify({ recording: 1, time: new Date(time).toISOString(), ...head })}\n`;
}

/** Formats the line of a frame, with its newline. */
export function frameLine({ seq, time, direction, message, fault }: WrittenFrame): string {
  return `${JSON.stringify({ seq, time: new Date(time).toISOString(), direction, message, fault })}\n`;
}
