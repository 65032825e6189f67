import type { DayUsage } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { amountOf, measuresOf, sumOf, sumsBy, sumsOfDays, usualMeasure } from './usage-sums.ts';

const rows: readonly DayUsage[] = [
  {
    day: '2026-03-29',
    agent: 'claude',
    cwd: '/a',
    sessions: 1,
    turns: 2,
    tokens: { inputTokens: 10, outputTokens: 4 },
    cost: { USD: 0.5 },
  },
  { day: '2026-03-29', agent: 'parley', cwd: '/a', sessions: 1, turns: 1, cost: {} },
  { day: '2026-03-27', agent: 'claude', cwd: '/b', sessions: 1, turns: 3, cost: { EUR: 1, USD: 1 } },
];

test('usage is added up by agent, folder and day', () => {
  expect(sumsBy(rows, 'agent')).toMatchObject([
    { name: 'claude', turns: 5, inputTokens: 10, outputTokens: 4, cost: { USD: 1.5, EUR: 1 } },
    { name: 'parley', turns: 1, inputTokens: 0, cost: {} },
  ]);
  expect(sumsBy(rows, 'cwd').map(({ name, turns }) => [name, turns])).toEqual([
    ['/a', 3],
    ['/b', 3],
  ]);
  expect(measuresOf(sumOf(rows))).toEqual(['tokens', 'cost EUR', 'cost USD', 'turns']);
  expect(amountOf(sumOf(rows), 'cost USD')).toBe(1.5);
});

test('the bars first show tokens, or costs or turns if agents reported no tokens', () => {
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  const { tokens: _, ...withoutTokens } = row;
  expect(usualMeasure(sumOf(rows))).toBe('tokens');
  expect(usualMeasure(sumOf([{ ...withoutTokens, cost: { USD: 1 } }]))).toBe('cost USD');
  expect(usualMeasure(sumOf([{ ...withoutTokens, cost: {} }]))).toBe('turns');
});

test('each day of the period is listed, also at a change of daylight saving time', () => {
  const days = sumsOfDays(rows, '2026-03-27', '2026-03-30');
  expect(days.map(({ name, turns }) => [name, turns])).toEqual([
    ['2026-03-27', 3],
    ['2026-03-28', 0],
    ['2026-03-29', 3],
    ['2026-03-30', 0],
  ]);
});
