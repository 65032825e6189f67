import { emptyState, type SessionState } from '@parley/host/state';

/** What is known of a session that is watched. */
export interface SessionFeed {
  readonly view: SessionState;
  /** All that was there when the session was asked for is in the view. */
  readonly isCaughtUp: boolean;
  /** What commands wrote that still run, by the id of their terminal. */
  readonly terminals: ReadonlyMap<string, string>;
  /** The last that the agent wrote to standard error. */
  readonly log: string;
}

/** A session nothing has come of. */
export const emptyFeed: SessionFeed = { view: emptyState, isCaughtUp: false, terminals: new Map(), log: '' };
