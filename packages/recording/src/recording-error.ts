/**
 * Why a recording cannot be used.
 *
 * - `unsupported`: a newer program made it.
 * - `not-a-recording`: there is no message in it.
 */
export type RecordingErrorCode = 'unsupported' | 'not-a-recording';

/** A file that is no recording, or none that we can read. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly code: RecordingErrorCode;

  constructor(code: RecordingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
