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
   * What happens where a rule that denies may be meant, and the call cannot be judged. `reject` is for sessions whose
   * permissions a remote client answers: it must not allow what the configuration may deny.
   *
   * @default 'ask'
   */
  readonly unclear?: 'ask' | 'reject';
  /** What time it is, in milliseconds since 1970: rules may hold for a time only. @default the clock of this system */
  readonly now?: () => number;
}
