/**
 * What was wrong with a frame.
 *
 * - `malformed`: no JSON.
 * - `encoding`: not UTF-8.
 * - `too-large`: longer than the transport's limit; skipped.
 * - `truncated`: the input ended in the middle of it.
 */
export type FrameFaultCode = 'malformed' | 'encoding' | 'too-large' | 'truncated';

/** A frame that holds no message, at its place among the messages. */
export class FrameFault {
  readonly code: FrameFaultCode;
  /** The length of the frame, as far as it was read. */
  readonly bytes: number;
  /** The frame's first characters (at most 256), for a diagnostic: what a peer wrote where a message belongs. */
  readonly head: string;

  constructor(code: FrameFaultCode, bytes: number, head: string) {
    this.code = code;
    this.bytes = bytes;
    this.head = head;
  }
}

/** How much of a bad frame is kept. */
export const faultHeadLength = 256;

/** The message of each code. */
export const faultWords: Readonly<Record<FrameFaultCode, string>> = {
  malformed: 'the frame is no JSON',
  encoding: 'the frame is not UTF-8',
  'too-large': 'the frame is longer than the transport takes',
  truncated: 'the input ended in the middle of the frame',
};
