import { formatCost } from '../conversation/progress/format-cost.ts';
import { amountOf, type UsageMeasure, type UsageSum } from './usage-sums.ts';

/** Writes amounts in a language. */
export interface UsageText {
  readonly count: (count: number) => string;
  /** Undefined where no cost was reported. */
  readonly costs: (cost: UsageSum['cost']) => string | undefined;
  /** A sum in one measure. */
  readonly amount: (sum: UsageSum, measure: UsageMeasure) => string;
  /** Formats a day such as `2026-11-23` for reading. */
  readonly day: (day: string) => string;
}

/** How a language writes amounts. */
export function usageText(language: string): UsageText {
  const whole = new Intl.NumberFormat(language);
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const date = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const count = (number: number): string => (number < 100_000 ? whole : compact).format(number);
  const costs = (cost: UsageSum['cost']): string | undefined => {
    const amounts = Object.entries(cost).map(([currency, amount]) =>
      formatCost({ amount, currency }, language),
    );
    return amounts.length === 0 ? undefined : amounts.join(' + ');
  };
  return {
    count,
    costs,
    amount: (sum, measure) => {
      const amount = amountOf(sum, measure);
      return measure.startsWith('cost ')
        ? formatCost({ amount, currency: measure.slice('cost '.length) }, language)
        : count(amount);
    },
    day: (day) => date.format(Date.parse(day)),
  };
}
