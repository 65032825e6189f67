/** What kind of failure ends a command; each has its exit status in `exit-status.ts`. */
export type CliErrorCode =
  | 'usage'
  | 'configuration'
  | 'not-offered'
  | 'no-hub'
  | 'hub-refused'
  | 'hub-lost'
  | 'model-failed'
  | 'unanswered'
  | 'refused'
  | 'setup-failed'
  | 'output-closed'
  | 'timeout'
  | 'interrupted'
  | 'hung-up'
  | 'terminated';

/** A failure of the command itself, with a message for the user who typed it. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;

  constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
