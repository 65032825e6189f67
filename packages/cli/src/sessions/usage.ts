import { reportUsage, type DayUsage } from '@parley/host';
import { exitStatus } from '../exit-status.ts';
import { parseCount } from '../flag-values.ts';
import { toColumns } from '../output/columns.ts';
import { fromHome } from '../output/from-home.ts';
import { toPlainLine } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import { createWriter } from '../output/writer.ts';
import type { Surroundings } from '../surroundings.ts';
import { findSessions, parseSessionFilter, storeOf, type TypedSessionFilter } from './find-session.ts';
import { reportUnreadable } from './session-summary.ts';

/** How many days are shown by default, today included. */
const usualDays = 30;

/** The flags of `parley sessions usage`. */
export interface TypedUsageFlags extends TypedSessionFilter {
  readonly days?: string;
  readonly json?: boolean;
}

/** `parley sessions usage`: tokens and costs that agents reported, by day, agent and folder. Gives the exit status. */
export async function showUsage(flags: TypedUsageFlags, surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const days = flags.days === undefined ? usualDays : parseCount('--days', flags.days);
  const sessions = await findSessions(parseSessionFilter(flags, surroundings), surroundings);
  const { usage } = await reportUsage(storeOf(surroundings), sessions, {
    days,
    onUnreadable: (session, error) => {
      reportUnreadable(session, error, surroundings);
    },
  });
  const writer = createWriter(stdout);
  if (flags.json === true) writer.write(`${JSON.stringify({ days, usage }, undefined, 2)}\n`);
  else if (usage.length === 0) stderr.write(`parley: no turn ended in the last ${String(days)} days\n`);
  else writer.write(toTable(usage, createStyle(stdout.isTTY === true, env).bold));
  await writer.flush();
  return exitStatus.done;
}

function toTable(usage: readonly DayUsage[], bold: (text: string) => string): string {
  const head = ['DAY', 'AGENT', 'TURNS', 'TOKENS IN', 'OUT', 'COST', 'FOLDER'];
  const rows = usage.map(({ day, agent, turns, tokens, cost, cwd }) => [
    day,
    toPlainLine(agent),
    String(turns),
    toCount(tokens?.inputTokens),
    toCount(tokens?.outputTokens),
    toCost(cost),
    toPlainLine(fromHome(cwd), 1000),
  ]);
  const [first = '', ...lines] = toColumns([head, ...rows]);
  return `${[bold(first), ...lines].join('\n')}\n`;
}

function toCount(count: number | undefined): string {
  return count === undefined ? '-' : count.toLocaleString('en-US');
}

function toCost(cost: DayUsage['cost']): string {
  const amounts = Object.entries(cost).map(([currency, amount]) => `${amount.toFixed(2)} ${currency}`);
  return amounts.length === 0 ? '-' : amounts.join(' + ');
}
