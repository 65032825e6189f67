import { expect, test } from 'vitest';
import { formatCost } from './format-cost.ts';

test('an amount is shown in its currency, and a small one exactly', () => {
  expect(formatCost({ amount: 1.5, currency: 'USD' }, 'en')).toBe('$1.50');
  expect(formatCost({ amount: 0.01234, currency: 'EUR' }, 'en')).toBe('€0.0123');
  expect(formatCost({ amount: 0, currency: 'USD' }, 'en')).toBe('$0.00');
});

test('an unknown currency is shown as it is', () => {
  expect(formatCost({ amount: 3, currency: 'credits' }, 'en')).toBe('3 credits');
});
