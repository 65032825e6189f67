import type { DayUsage } from '@parley/host/hub';

/** What was used: by one agent, in one folder or on one day. */
export interface UsageSum {
  /** The agent, the folder, or the day. */
  readonly name: string;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Amounts by currency. */
  readonly cost: Readonly<Record<string, number>>;
}

/** What bars show: turns, tokens, or costs in one currency. */
export type UsageMeasure = 'tokens' | 'turns' | `cost ${string}`;

/** The sum of the rows with each name, in the order of the first of each. */
export function sumsBy(rows: readonly DayUsage[], by: 'agent' | 'cwd' | 'day'): readonly UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const row of rows) sums.set(row[by], added(sums.get(row[by]) ?? noUsage(row[by]), row));
  return [...sums.values()];
}

/** The sum of all rows. */
export function sumOf(rows: readonly DayUsage[]): UsageSum {
  return rows.reduce(added, noUsage(''));
}

/** One entry per day from the first to the last, including days without usage. */
export function sumsOfDays(rows: readonly DayUsage[], from: string, to: string): readonly UsageSum[] {
  const sums = new Map(sumsBy(rows, 'day').map((sum) => [sum.name, sum]));
  const days: UsageSum[] = [];
  const last = Date.parse(to);
  // Dates alone are in UTC, where each day has 24 hours.
  for (let time = Date.parse(from); time <= last; time += 86_400_000) {
    const day = new Date(time).toISOString().slice(0, 10);
    days.push(sums.get(day) ?? noUsage(day));
  }
  return days;
}

/** How much of a measure a sum has. */
export function amountOf(
  { turns, inputTokens, outputTokens, cost }: UsageSum,
  measure: UsageMeasure,
): number {
  if (measure === 'turns') return turns;
  if (measure === 'tokens') return inputTokens + outputTokens;
  return cost[measure.slice('cost '.length)] ?? 0;
}

/** Measures that bars can show. */
export function measuresOf(sum: UsageSum): readonly UsageMeasure[] {
  const currencies = Object.keys(sum.cost).toSorted();
  return ['tokens', ...currencies.map((currency) => `cost ${currency}` as const), 'turns'];
}

/** The first measure that agents reported: not all of them report tokens. */
export function usualMeasure(sum: UsageSum): UsageMeasure {
  return measuresOf(sum).find((measure) => amountOf(sum, measure) > 0) ?? 'tokens';
}

function noUsage(name: string): UsageSum {
  return { name, turns: 0, inputTokens: 0, outputTokens: 0, cost: {} };
}

function added(sum: UsageSum, { turns, tokens, cost }: DayUsage): UsageSum {
  const { inputTokens = 0, outputTokens = 0 } = tokens ?? {};
  const costs = { ...sum.cost };
  for (const [currency, amount] of Object.entries(cost)) costs[currency] = (costs[currency] ?? 0) + amount;
  return {
    name: sum.name,
    turns: sum.turns + turns,
    inputTokens: sum.inputTokens + inputTokens,
    outputTokens: sum.outputTokens + outputTokens,
    cost: costs,
  };
}
