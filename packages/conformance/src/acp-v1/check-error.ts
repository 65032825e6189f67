/** Why a check did not pass: the other side violated the requirement, or the requirement does not apply to it. */
export type CheckErrorCode = 'broken' | 'not-applicable';

/** The messages that show what happened. */
export interface Evidence {
  readonly sent?: unknown;
  readonly received?: unknown;
}

/** Ends a check that does not pass. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
  readonly code: CheckErrorCode;
  readonly evidence: Evidence | undefined;

  constructor(code: CheckErrorCode, message: string, options: ErrorOptions & { evidence?: Evidence } = {}) {
    super(message, options);
    this.code = code;
    this.evidence = options.evidence;
  }
}

/** Continues only where this is so. */
export function demand(isSo: boolean, otherwise: string, evidence?: Evidence): asserts isSo {
  if (!isSo) throw new CheckError('broken', otherwise, evidence === undefined ? {} : { evidence });
}

/** Skips the check if the other side does not offer the feature. */
export function requireOffered(isOffered: boolean, otherwise: string): asserts isOffered {
  if (!isOffered) throw new CheckError('not-applicable', otherwise);
}

/** Continues only where the capability is declared. */
export function requireDeclared(isDeclared: boolean, what: string): void {
  requireOffered(isDeclared, `${what} is not declared`);
}
