import { addTokens, tokensIn } from '../agent-session/turn/tokens.ts';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { DayUsage, UsageReport } from '../hub/usage-report.ts';
import type { SessionHead } from '../store/session-head.ts';
import type { SessionStore } from '../store/session-store.ts';

/** Which days and sessions a report covers. */
export interface UsageOptions {
  /** In milliseconds since 1970. @default all that is stored */
  readonly since?: number;
  /** Receives an event log that cannot be read; the others are counted. */
  readonly onUnreadable?: (session: SessionHead, error: unknown) => void;
  /** Ends the reading behind a session. @default all are read */
  readonly signal?: AbortSignal;
}

/** Adds up the usage of the last days, today included. */
export async function reportUsage(
  store: SessionStore,
  sessions: readonly SessionHead[],
  { days, ...options }: Omit<UsageOptions, 'since'> & { readonly days: number },
): Promise<UsageReport> {
  const today = new Date();
  const since = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1).getTime();
  const usage = await usageByDay(store, sessions, { ...options, since });
  return { from: toDay(since), to: toDay(today.getTime()), usage };
}

/**
 * Adds up the tokens and costs that agents reported in stored sessions, latest day first. Each turn counts once, on
 * the day on which it ended; replayed history does not count again. An agent reports the cost of the whole session so
 * far (https://agentclientprotocol.com/protocol), so only the increase counts.
 */
export async function usageByDay(
  store: SessionStore,
  sessions: readonly SessionHead[],
  { since = 0, onUnreadable, signal }: UsageOptions = {},
): Promise<readonly DayUsage[]> {
  const rows = new Map<string, DayUsage>();
  for (const session of sessions) {
    if (signal?.aborted === true) break;
    // Nothing was appended since.
    if (session.updatedAt < since) continue;
    const counted = new SessionUsageReader(session, since);
    try {
      await store.read(session.key, (event) => counted.read(event), { wants: mayReportUsage });
    } catch (error) {
      if (onUnreadable === undefined) throw error;
      onUnreadable(session, error);
    }
    for (const [key, row] of counted.rows) rows.set(key, addRows(rows.get(key), row));
  }
  return [...rows.values()].toSorted(
    (left, right) =>
      compare(right.day, left.day) || compare(left.agent, right.agent) || compare(left.cwd, right.cwd),
  );
}

function mayReportUsage(json: string): boolean {
  return json.includes('"type":"turn-end"') || json.includes('usage_update');
}

/** What one session used, by day. */
class SessionUsageReader {
  readonly #session: SessionHead;
  readonly #since: number;
  readonly #rows = new Map<string, DayUsage>();
  /** The last cost that the agent reported, by currency. */
  readonly #reported = new Map<string, number>();

  constructor(session: SessionHead, since: number) {
    this.#session = session;
    this.#since = since;
  }

  get rows(): ReadonlyMap<string, DayUsage> {
    return this.#rows;
  }

  read(event: LoggedEvent): void {
    if (event.type === 'turn-end') {
      const tokens = 'usage' in event ? tokensIn(event.usage) : undefined;
      this.#add(event.time, { turns: 1, cost: {}, ...(tokens !== undefined && { tokens }) });
    } else if (event.type === 'update' && event.replay !== true && event.subagent === undefined) {
      // What sub-agents cost may be part of what their session does.
      this.#readCost(event.update, event.time);
    }
  }

  #readCost(update: unknown, time: number): void {
    const cost = costOf(update);
    if (cost === undefined) return;
    const { amount, currency } = cost;
    const before = this.#reported.get(currency) ?? 0;
    this.#reported.set(currency, amount);
    // An agent that was started again may count from zero.
    const growth = amount >= before ? amount - before : amount;
    if (growth > 0) this.#add(time, { turns: 0, cost: { [currency]: growth } });
  }

  #add(time: number, used: Pick<DayUsage, 'turns' | 'tokens' | 'cost'>): void {
    if (time < this.#since) return;
    const { agent, cwd } = this.#session.start;
    const day = toDay(time);
    const key = JSON.stringify([day, agent, cwd]);
    const before = this.#rows.get(key);
    this.#rows.set(
      key,
      addRows(before, { day, agent, cwd, sessions: before === undefined ? 1 : 0, ...used }),
    );
  }
}

function addRows(before: DayUsage | undefined, row: DayUsage): DayUsage {
  if (before === undefined) return row;
  const tokens = row.tokens === undefined ? before.tokens : addTokens(before.tokens ?? {}, row.tokens);
  const cost = { ...before.cost };
  for (const [currency, amount] of Object.entries(row.cost)) cost[currency] = (cost[currency] ?? 0) + amount;
  return {
    ...before,
    sessions: before.sessions + row.sessions,
    turns: before.turns + row.turns,
    cost,
    ...(tokens !== undefined && { tokens }),
  };
}

interface Cost {
  readonly amount: number;
  readonly currency: string;
}

function costOf(update: unknown): Cost | undefined {
  if (fieldOf(update, 'sessionUpdate') !== 'usage_update') return undefined;
  const cost = fieldOf(update, 'cost');
  const amount = fieldOf(cost, 'amount');
  const currency = fieldOf(cost, 'currency');
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) return undefined;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/u.test(currency)) return undefined;
  return { amount, currency };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function toDay(time: number): string {
  const date = new Date(time);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
