import { expect, test } from 'vitest';
import { formatCost } from './format-cost.ts';

test('money is said in its currency, and little of it exactly', () => {
  expect(formatCost({ amount: 1.5, currency: 'USD' }, 'en')).toBe('$1.50');
  expect(formatCost({ amount: 0.01234, currency: 'EUR' }, 'en')).toBe('€0.0123');
  expect(formatCost({ amount: 0, currency: 'USD' }, 'en')).toBe('$0.00');
});

test('what is no currency is said as it came', () => {
  expect(formatCost({ amount: 3, currency: 'credits' }, 'en')).toBe('3 credits');
});
