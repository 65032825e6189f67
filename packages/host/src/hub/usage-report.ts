import type { Tokens } from '../agent-session/turn/tokens.ts';

/** What the sessions of one agent in one folder used on one day, as the agent reported it. */
export interface DayUsage {
  /** In local time: `2026-11-23`. */
  readonly day: string;
  /** What the agent is called here. */
  readonly agent: string;
  readonly cwd: string;
  readonly sessions: number;
  /** Turns that ended. */
  readonly turns: number;
  /** The tokens that the agent reported for its turns; absent if it reported none. */
  readonly tokens?: Tokens;
  /** Amounts by currency, as ISO 4217 writes it; empty when the agent reported no cost. */
  readonly cost: Readonly<Record<string, number>>;
}

/** What was used in the last days. */
export interface UsageReport {
  /** The first day that is covered, in local time: `2026-11-23`. */
  readonly from: string;
  /** The last one. */
  readonly to: string;
  readonly usage: readonly DayUsage[];
}
