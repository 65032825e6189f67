import { toColumns } from '../output/columns.ts';
import { toPlainLine } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import type { Surroundings } from '../surroundings.ts';
import type { RunnerResult } from './runner.ts';

/** The runners side by side, and the next steps. */
export function raceTable(runners: readonly RunnerResult[], { stdout, env }: Surroundings): string {
  const rows = runners.map((runner) => [
    runner.id,
    toPlainLine(runner.agent, 32),
    toPlainLine(runner.stopReason ?? runner.error?.message ?? '', 32),
    String(runner.exitCode),
    `${runner.seconds.toFixed(1)} s`,
    tokensOf(runner.usage),
    String(runner.files),
    `+${String(runner.additions)} −${String(runner.deletions)}`,
    runner.check === null
      ? ''
      : runner.check.exitCode === 0
        ? 'passed'
        : `failed (${String(runner.check.exitCode)})`,
  ]);
  const [head = '', ...lines] = toColumns([
    ['RUNNER', 'AGENT', 'RESULT', 'STATUS', 'TIME', 'TOKENS', 'FILES', '+/−', 'CHECK'],
    ...rows,
  ]);
  const style = createStyle(stdout.isTTY === true, env);
  return [
    style.dim(head),
    ...lines,
    '',
    'To see the changes of one: parley worktrees show RUNNER',
    'To merge them:             parley race adopt RUNNER',
    '',
  ].join('\n');
}

function tokensOf(usage: unknown): string {
  if (typeof usage !== 'object' || usage === null || !('totalTokens' in usage)) return '';
  return typeof usage.totalTokens === 'number' ? String(usage.totalTokens) : '';
}
