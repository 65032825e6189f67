import type { CheckResult, ConformanceCard } from '@parley/conformance';
import { toCounts } from './summary.ts';

/** A card for a terminal: one line for each check, with what was found below it. Many that are skipped for one reason share a line. */
export function toText({ target, checks }: ConformanceCard): string {
  const width = Math.max(0, ...checks.map(({ id }) => id.length));
  const together = sharedReasons(checks);
  const lines = checks.flatMap((check) => {
    if (check.outcome === 'skipped' && together.has(check.detail)) return [];
    return [
      `${check.outcome.padEnd(7)}  ${check.level.padEnd(11)}  ${check.id.padEnd(width)}  ${check.rule} ${check.source}`,
      ...detailLines(check).map((line) => `         ${line}`),
    ];
  });
  const skipped = [...together].map(([reason, count]) => `skipped  ${String(count)} checks: ${reason}`);
  return `${[`${target.name} ${target.version}`, '', ...lines, ...skipped, '', toCounts(checks)].join('\n')}\n`;
}

/** Reasons for which so many checks are skipped that a reader sees nothing else, such as that initialize failed. */
function sharedReasons(checks: readonly CheckResult[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const check of checks) {
    if (check.outcome === 'skipped') counts.set(check.detail, (counts.get(check.detail) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > mostAlike));
}

/** Checks that are skipped for one reason and have lines of their own. */
const mostAlike = 10;

function detailLines(check: CheckResult): readonly string[] {
  return 'detail' in check ? check.detail.split('\n') : [];
}
