import type { Metric } from './case.ts';
import type { Finding } from './judge.ts';
import type { Spread } from './statistics.ts';

/** A run of the bench, as `--json` prints it. */
export interface BenchRun {
  readonly machine: string;
  readonly rounds: number;
  /** What all counts were divided by. */
  readonly divisor: number;
  readonly findings: readonly Finding[];
}

/** One metric in two runs. */
export interface Comparison {
  readonly title: string;
  readonly metric: Metric;
  /** What is compared: ratios of the rounds where both runs have them, because a slow machine slows both sides; else our values. */
  readonly by: 'ratio' | 'value';
  readonly before: Spread;
  readonly now: Spread;
  /** How much better it is now, as a part of before; negative when it is worse. */
  readonly gain: number;
  /** The distance from the smallest to the largest value of the noisier run, as a part of its median. */
  readonly noise: number;
  readonly outcome: 'better' | 'worse' | 'within noise';
}

/** Fewer rounds say nothing about noise. */
const fewestRounds = 3;

/** Compares each metric that two runs have in common. */
export function compareRuns(before: BenchRun, now: BenchRun): readonly Comparison[] {
  return now.findings.flatMap((finding) => {
    const earlier = before.findings.find(
      ({ title, caseName }) => title === finding.title && caseName === finding.caseName,
    );
    return earlier === undefined ? [] : compareFindings(earlier, finding);
  });
}

/** Reads what `--json` printed. */
export function parseRun(json: string, file: string): BenchRun {
  const value: unknown = JSON.parse(json);
  if (!isRun(value)) throw new Error(`${file} is not what npm run bench -- --json prints`);
  return value;
}

function isRun(value: unknown): value is BenchRun {
  if (typeof value !== 'object' || value === null) return false;
  const { machine, rounds, divisor, findings }: Partial<Record<keyof BenchRun, unknown>> = value;
  const hasNumbers = typeof rounds === 'number' && typeof divisor === 'number';
  return typeof machine === 'string' && hasNumbers && Array.isArray(findings);
}

/** Throws if two runs are of different machines or work, or too short to know their noise. */
export function assertComparable(before: BenchRun, now: BenchRun): void {
  if (before.machine !== now.machine) {
    throw new Error(`--compare: the stored run is of another machine: ${before.machine}, not ${now.machine}`);
  }
  if (before.divisor !== now.divisor) throw new Error('--compare: only one of the runs is --quick');
  if (Math.min(before.rounds, now.rounds) < fewestRounds) {
    throw new Error(`--compare: both runs need at least ${String(fewestRounds)} rounds`);
  }
}

function compareFindings(earlier: Finding, finding: Finding): readonly Comparison[] {
  const { title, metric } = finding;
  const by = earlier.ratio !== undefined && finding.ratio !== undefined ? 'ratio' : 'value';
  const [before, now] = [earlier, finding].map(({ ratio, values }) => (by === 'ratio' ? ratio : values.ours));
  if (before === undefined || now === undefined) return [];
  const isMoreBetter = by === 'ratio' ? isHigherRatioBetter(metric) : metric.better === 'more';
  const gain = isMoreBetter ? now.median / before.median - 1 : 1 - now.median / before.median;
  const noise = Math.max(...[before, now].map(({ median, min, max }) => (max - min) / median));
  const outcome = Math.abs(gain) <= noise ? 'within noise' : gain > 0 ? 'better' : 'worse';
  return [{ title, metric, by, before, now, gain, noise, outcome }];
}

/** The ratio of some goals is "so many times better", that of others a part of what the official SDK takes, or our own value. */
function isHigherRatioBetter({ goal, better }: Metric): boolean {
  return goal.kind === 'part' || goal.kind === 'value' ? better === 'more' : true;
}
