import { emptyState, type SessionState } from '@parley/host/state';

/** The state of a watched session. */
export interface SessionFeed {
  readonly view: SessionState;
  /** Whether all events up to the start of watching have been processed. */
  readonly isCaughtUp: boolean;
  /** The output of running commands, by terminal id. */
  readonly terminals: ReadonlyMap<string, string>;
  /** The last that the agent wrote to standard error. */
  readonly log: string;
}

/** A session nothing has come of. */
export const emptyFeed: SessionFeed = { view: emptyState, isCaughtUp: false, terminals: new Map(), log: '' };
