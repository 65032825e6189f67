/** Why a check did not pass: the agent did something else, or the requirement does not apply to it. */
export type CheckErrorCode = 'broken' | 'not-applicable';

/** Ends a check that does not pass. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
  readonly code: CheckErrorCode;

  constructor(code: CheckErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Goes on only where this is so. */
export function demand(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new CheckError('broken', otherwise);
}

/** Goes on only where the agent declares what the check is about. */
export function requireDeclared(isDeclared: boolean, what: string): void {
  if (!isDeclared) throw new CheckError('not-applicable', `${what} is not declared`);
}
