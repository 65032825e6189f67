import type { Comparison } from '../compare.ts';
import type { Spread } from '../statistics.ts';
import { formatRatio, formatValue } from './format.ts';

/** The columns of a comparison. */
const columns = ['case', 'before', 'now', 'better by', 'noise', 'outcome'] as const;

/** Two runs as a Markdown table, and how many metrics are better and worse. */
export function toComparisonTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const { title, before, now, gain, noise, outcome } = comparison;
    return [
      title,
      format(comparison, before),
      format(comparison, now),
      percent(gain),
      percent(noise),
      outcome,
    ];
  });
  const lines = [columns, columns.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** How many metrics are better and worse. */
export function toComparisonSummary(comparisons: readonly Comparison[]): string {
  const count = (wanted: Comparison['outcome']): number =>
    comparisons.filter(({ outcome }) => outcome === wanted).length;
  return `${count('better')} better, ${count('worse')} worse, ${count('within noise')} within noise`;
}

function format({ by, metric }: Comparison, { median, min, max }: Spread): string {
  const write = (value: number): string =>
    by === 'ratio' && metric.goal.kind !== 'value' ? formatRatio(value) : formatValue(value, metric.unit);
  return `${write(median)} (${write(min)} to ${write(max)})`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(0)} %`;
}
