import type { ConfiguredRule } from '@parley/workspace/rule';

/**
 * How much is allowed without asking.
 *
 * - `ask`: nothing.
 * - `none`: nothing, and the user is not asked: everything is rejected.
 * - `reads`: the kinds read, search and think.
 * - `edits`: also edit, move and delete.
 * - `all`: everything.
 */
export type ApprovalLevel = 'ask' | 'none' | 'reads' | 'edits' | 'all';

/** An approval level, and whether it was given or is the default. */
export interface Approve {
  readonly level: ApprovalLevel;
  /** A given level beats the rules; the rules beat a default one. */
  readonly given: boolean;
}

/** What decides about permissions without asking the user. */
export interface Policy {
  readonly approve: Approve;
  readonly rules: readonly ConfiguredRule[];
  /**
   * What to do if a denying rule might match but the call cannot be judged. `reject` is for sessions whose permission
   * requests a remote client answers: it must not allow what the configuration may deny. @default 'ask'
   */
  readonly unclear?: 'ask' | 'reject';
  /** The mode of the agent's sandbox, if commands in it need no permission. @default every command needs one */
  readonly sandboxed?: string;
  /** The names of the agents that this agent works for: its rights are at most theirs. @default none */
  readonly parents?: readonly string[];
  /** Returns the time in milliseconds since 1970, because rules may expire. @default the system's clock */
  readonly now?: () => number;
}
