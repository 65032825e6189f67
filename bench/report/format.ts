import type { Goal, Unit } from '../case.ts';
import type { Verdict } from '../judge.ts';

/** Writes a value the way a person reads it: `412,000/s`, `2.31 µs`, `64.2 MB`. */
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
  }
}

/** Writes a ratio: `8.31x`. */
export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}

/** Writes what a metric should reach. */
export function formatGoal(goal: Goal): string {
  switch (goal.kind) {
    case 'times-better':
      return `at least ${goal.atLeast}x`;
    case 'part':
    case 'value':
      return `at most ${goal.atMost}x`;
    case 'none':
      return '–';
  }
}

/** Writes whether the goal was reached. */
export function formatVerdict(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'met':
      return 'met';
    case 'missed':
      return `missed by ${(verdict.by * 100).toFixed(0)} %`;
    case 'no-target':
      return '–';
    case 'not-measured':
      return 'not measured';
  }
}

function significant(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value);
}
