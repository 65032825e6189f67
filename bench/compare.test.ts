import { expect, test } from 'vitest';
import type { Goal, Metric, Sample } from './case.ts';
import { assertComparable, compareRuns, parseRun, type BenchRun } from './compare.ts';
import { judge } from './judge.ts';
import { toComparisonSummary, toComparisonTable } from './report/comparison.ts';

interface Round {
  readonly ours: number;
  readonly official?: number;
}

function runOf(
  rounds: readonly Round[],
  { goal = { kind: 'none' }, better = 'more', machine = 'here', divisor = 1 }: RunOptions = {},
): BenchRun {
  const metric: Metric = { key: 'rate', title: 'messages', unit: 'per second', better, goal };
  const sample = (rate: number): Sample => ({ rate });
  const findings = judge(
    { name: 'chunks', title: 'chunks', metrics: [metric], contenders: {} },
    {
      rounds: rounds.map(({ ours, official }) => ({
        ours: sample(ours),
        ...(official !== undefined && { official: sample(official) }),
      })),
      failures: {},
    },
  );
  return { machine, rounds: rounds.length, divisor, findings };
}

interface RunOptions {
  readonly goal?: Goal;
  readonly better?: Metric['better'];
  readonly machine?: string;
  readonly divisor?: number;
}

const steady = [{ ours: 100 }, { ours: 104 }, { ours: 96 }];

test.each([
  { now: [80, 82, 81], better: 'more', outcome: 'worse' },
  { now: [80, 82, 81], better: 'less', outcome: 'better' },
  { now: [97, 95, 99], better: 'more', outcome: 'within noise' },
  { now: [80, 60, 120], better: 'more', outcome: 'within noise' },
  { now: [130, 128, 131], better: 'more', outcome: 'better' },
] as const)('$now after about 100 is $outcome where $better is better', ({ now, better, outcome }) => {
  const [found] = compareRuns(
    runOf(steady, { better }),
    runOf(
      now.map((ours) => ({ ours })),
      { better },
    ),
  );
  expect(found).toMatchObject({ by: 'value', outcome });
});

test('what a slow machine does to both sides is no loss: the ratios of the rounds are compared', () => {
  const goal: Goal = { kind: 'times-better', atLeast: 4 };
  const before = runOf(
    steady.map(({ ours }) => ({ ours, official: ours / 5 })),
    { goal },
  );
  const now = runOf(
    steady.map(({ ours }) => ({ ours: ours / 2, official: ours / 10 })),
    { goal },
  );
  expect(compareRuns(before, now)).toMatchObject([{ by: 'ratio', gain: 0, outcome: 'within noise' }]);
});

test.each([
  [{ kind: 'part', atMost: 0.5 }, 'less'],
  [{ kind: 'value', atMost: 50 }, 'less'],
  [{ kind: 'times-better', atLeast: 2 }, 'less'],
] as const)('twice the time is worse where the goal is %o', (goal, better) => {
  const before = runOf(
    [1, 2, 3].map((index) => ({ ours: 40 + index, official: 100 })),
    { goal, better },
  );
  const now = runOf(
    [1, 2, 3].map((index) => ({ ours: 80 + index, official: 100 })),
    { goal, better },
  );
  expect(compareRuns(before, now)).toMatchObject([{ outcome: 'worse' }]);
});

test('the report names both values, the noise, and what is worse', () => {
  const comparisons = compareRuns(runOf(steady), runOf([{ ours: 80 }, { ours: 82 }, { ours: 81 }]));
  expect(toComparisonTable(comparisons)).toContain(
    '| chunks: messages | 100/s (96/s to 104/s) | 81/s (80/s to 82/s) | -19 % | 8 % | worse |',
  );
  expect(toComparisonSummary(comparisons)).toBe('0 better, 1 worse, 0 within noise');
});

test.each([
  [runOf(steady, { machine: 'elsewhere' }), 'another machine'],
  [runOf(steady, { divisor: 10 }), '--quick'],
  [runOf(steady.slice(1)), 'at least 3 rounds'],
])('a run that cannot be compared is refused', (before, reason) => {
  expect(() => assertComparable(before, runOf(steady))).toThrow(reason);
});

test('a run is read as it is printed, and anything else is refused with its file', () => {
  const run = runOf(steady);
  expect(parseRun(JSON.stringify(run), 'before.json')).toEqual(run);
  expect(() => parseRun('{"machine":1}', 'before.json')).toThrow('before.json');
});
