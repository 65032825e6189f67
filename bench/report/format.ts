import type { Goal, Metric, Unit } from '../case.ts';
import type { Outcome } from '../judge.ts';
import type { Spread } from '../statistics.ts';

/** Writes a value for a reader: `412,000/s`, `2.31 µs`, `64.2 MB`. */
export function formatValue(value: number, unit: Unit): string {
  switch (unit) {
    case 'per second':
      return `${significant(value)}/s`;
    case 'microseconds':
      return `${significant(value)} µs`;
    case 'milliseconds':
      return `${significant(value)} ms`;
    case 'seconds':
      return `${significant(value)} s`;
    case 'bytes':
      return value >= 1e6 ? `${significant(value / 1e6)} MB` : `${significant(value / 1e3)} kB`;
    case 'times':
      return `${significant(value)}x`;
    case 'count':
      return significant(value);
  }
}

/** Writes a ratio: `8.31x`. */
export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}

/** Writes a spread of ratios, or of values where the goal is one: `8.31x (7.90 to 8.50)`. */
export function formatSpread({ median, min, max }: Spread, { goal, unit }: Metric): string {
  if (goal.kind !== 'value') return `${formatRatio(median)} (${min.toFixed(2)} to ${max.toFixed(2)})`;
  return `${formatValue(median, unit)} (${formatValue(min, unit)} to ${formatValue(max, unit)})`;
}

/** Writes what a metric should reach. */
export function formatGoal(goal: Goal, unit: Unit): string {
  switch (goal.kind) {
    case 'times-better':
      return `at least ${goal.atLeast}x`;
    case 'of-limit':
      return `at least ${goal.atLeast}x of the limit`;
    case 'part':
      return `at most ${goal.atMost}x`;
    case 'value':
      return `at most ${formatValue(goal.atMost, unit)}`;
    case 'none':
      return '–';
  }
}

/** Writes whether the goal was reached. */
export function formatOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'met':
      return 'met';
    case 'missed':
      return `missed by ${(outcome.by * 100).toFixed(0)} %`;
    case 'no-target':
      return '–';
    case 'not-measured':
      return 'not measured';
  }
}

function significant(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value);
}
