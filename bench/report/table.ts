import type { Contender } from '../case.ts';
import type { Finding } from '../judge.ts';
import { formatGoal, formatRatio, formatSpread, formatValue, formatVerdict } from './format.ts';

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
  'verdict',
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
    formatVerdict(finding.verdict),
  ];
}

/** The findings as lines for a terminal: a heading each, its numbers below. */
export function toText(findings: readonly Finding[]): string {
  return findings
    .map((finding) => {
      const [title = '', ...cells] = rowOf(finding);
      const numbers = cells.flatMap((cell, index) => (cell === '–' ? [] : [`${columns[index + 1]} ${cell}`]));
      const reason = finding.verdict.kind === 'not-measured' ? `\n  ${finding.verdict.reason}` : '';
      return `${title}\n  ${numbers.join(' · ')}${reason}\n`;
    })
    .join('');
}

/** The findings as a Markdown table, as `docs/performance.md` has it. */
export function toMarkdown(findings: readonly Finding[]): string {
  const lines = [columns, columns.map(() => '---'), ...findings.map(rowOf)];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
