import type { Contender } from '../case.ts';
import type { Finding } from '../judge.ts';
import { formatGoal, formatRatio, formatSpread, formatValue, formatOutcome } from './format.ts';

/** The columns of the report. */
export const columns = [
  'case',
  'ours',
  'official',
  'vscode-jsonrpc',
  'limit',
  'ratio (min to max)',
  'limit ratio',
  'target',
  'outcome',
] as const;

/** One finding as the cells of a row. */
export function rowOf(finding: Finding): string[] {
  const { ratio, limitRatio, metric } = finding;
  const value = (contender: Contender): string => {
    const spread = finding.values[contender];
    return spread ? formatValue(spread.median, metric.unit) : '–';
  };
  return [
    finding.title,
    value('ours'),
    value('official'),
    value('vscode-jsonrpc'),
    value('limit'),
    ratio ? formatSpread(ratio, metric) : '–',
    limitRatio ? formatRatio(limitRatio.median) : '–',
    formatGoal(metric.goal, metric.unit),
    formatOutcome(finding.outcome),
  ];
}

/** The findings as lines for a terminal: a heading each, its numbers below, and at the end why some have none. */
export function toText(findings: readonly Finding[]): string {
  const blocks = findings.map((finding) => {
    const [title = '', ...cells] = rowOf(finding);
    const numbers = cells.flatMap((cell, index) => (cell === '–' ? [] : [`${columns[index + 1]} ${cell}`]));
    return `${title}\n  ${numbers.join(' · ')}\n`;
  });
  return [...blocks, ...reasonsOf(findings)].join('');
}

/** The findings as a Markdown table, as `docs/performance.md` has it, and below it why some have no numbers. */
export function toMarkdown(findings: readonly Finding[]): string {
  const lines = [columns, columns.map(() => '---'), ...findings.map(rowOf)];
  const reasons = reasonsOf(findings).map((line) => `\n${line}`);
  return [...lines.map((cells) => `| ${cells.join(' | ')} |\n`), ...reasons].join('');
}

/** A line for each case that was not measured, once for all its metrics. */
function reasonsOf(findings: readonly Finding[]): readonly string[] {
  const lines = findings.flatMap(({ caseName, outcome }) =>
    outcome.kind === 'not-measured' ? [`${caseName} was not measured. ${outcome.reason}\n`] : [],
  );
  return [...new Set(lines)];
}
