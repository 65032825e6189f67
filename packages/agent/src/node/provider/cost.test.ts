import { expect, test } from 'vitest';
import { costOf } from './cost.ts';

function usage(input: object, raw: Record<string, number | string> = {}): Parameters<typeof costOf>[0] {
  return {
    inputTokens: { total: 1000, noCache: undefined, cacheRead: undefined, cacheWrite: undefined, ...input },
    outputTokens: { total: 100, text: undefined, reasoning: undefined },
    raw,
  };
}

const price = { input: 2, output: 10, cachedInput: 0.5, cacheWrite: 3 };

test('without a price or token counts, the cost is unknown', () => {
  expect(costOf(usage({}), undefined)).toBeUndefined();
  expect(costOf(usage({ total: undefined }), price)).toBeUndefined();
});

test('cache reads and writes have their own prices', () => {
  expect(costOf(usage({}), price)).toBeCloseTo((1000 * 2 + 100 * 10) / 1e6, 12);
  const cached = usage({ cacheRead: 600, cacheWrite: 300 });
  expect(costOf(cached, price)).toBeCloseTo((100 * 2 + 600 * 0.5 + 300 * 3 + 100 * 10) / 1e6, 12);
  expect(costOf(cached, { input: 2, output: 10 })).toBeCloseTo((1000 * 2 + 100 * 10) / 1e6, 12);
});

test('a valid cost from the provider takes precedence', () => {
  expect(costOf(usage({}, { cost: 0.25 }), price)).toBe(0.25);
  expect(costOf(usage({}, { cost: 0 }), undefined)).toBe(0);
  expect(costOf(usage({}, { cost: -1 }), undefined)).toBeUndefined();
  expect(costOf(usage({}, { cost: '0.25' }), undefined)).toBeUndefined();
});
