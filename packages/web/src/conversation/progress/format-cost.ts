import type { Cost } from '@parley/acp';

/** Formats an amount of money; below one cent, with enough digits to be useful. */
export function formatCost({ amount, currency }: Cost, language: string): string {
  const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 4 : 2;
  try {
    return new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 2,
      maximumFractionDigits: digits,
    }).format(amount);
  } catch {
    // What an agent calls a currency need not be one.
    return `${amount} ${currency}`;
  }
}
