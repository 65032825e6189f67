/**
 * Why a frame contains no message.
 *
 * - `malformed`: not JSON.
 * - `encoding`: not UTF-8.
 * - `too-large`: longer than the transport's limit; skipped.
 * - `truncated`: the input ended within the frame.
 */
export type FrameFaultCode = 'malformed' | 'encoding' | 'too-large' | 'truncated';

/** A frame without a message, at its position among the messages. */
export class FrameFault {
  readonly code: FrameFaultCode;
  /** The length of the part of the frame that was read. */
  readonly bytes: number;
  /** The first characters of the frame (at most 256), for diagnostics. */
  readonly head: string;

  constructor(code: FrameFaultCode, bytes: number, head: string) {
    this.code = code;
    this.bytes = bytes;
    this.head = head;
  }
}

/** Stored characters of an invalid frame. */
export const faultHeadLength = 256;

/** The message of each code. */
export const faultWords: Readonly<Record<FrameFaultCode, string>> = {
  malformed: 'the frame is no JSON',
  encoding: 'the frame is not UTF-8',
  'too-large': 'the frame is longer than the transport takes',
  truncated: 'the input ended in the middle of the frame',
};
