/**
 * Why a recording cannot be used.
 *
 * - `unsupported`: a newer program wrote it.
 * - `not-a-recording`: the file contains no message.
 */
export type RecordingErrorCode = 'unsupported' | 'not-a-recording';

/** A file that is not a recording, or whose format version is not supported. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly code: RecordingErrorCode;

  constructor(code: RecordingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
