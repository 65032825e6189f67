import type { CheckResult } from '@parley/conformance';

/** How many checks ended how. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function summarize(checks: readonly CheckResult[]): Summary {
  const count = (outcome: CheckResult['outcome']): number =>
    checks.filter((check) => check.outcome === outcome).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}

/** The counts in words, with the failed ones by level. */
export function toCounts(checks: readonly CheckResult[]): string {
  const { passed, failed, skipped } = summarize(checks);
  const required = checks.filter(({ outcome, level }) => outcome === 'failed' && level === 'required').length;
  const levels =
    failed === 0 ? '' : ` (${String(required)} required, ${String(failed - required)} recommended)`;
  return `${String(passed)} passed, ${String(failed)} failed${levels}, ${String(skipped)} skipped`;
}
