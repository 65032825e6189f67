import type { Rule } from '@parley/workspace';

/**
 * How much is allowed without asking.
 *
 * - `ask`: nothing.
 * - `none`: nothing, and nobody is asked: everything is rejected.
 * - `reads`: the kinds read, search and think.
 * - `edits`: also edit, move and delete.
 * - `all`: everything.
 */
export type ApproveLevel = 'ask' | 'none' | 'reads' | 'edits' | 'all';

/** An approval level, and whether somebody gave it or it is the default. */
export interface Approve {
  readonly level: ApproveLevel;
  /** A given level beats the rules; the rules beat a default one. */
  readonly given: boolean;
}

/** What decides about permissions when nobody is asked. */
export interface Policy {
  readonly approve: Approve;
  readonly rules: readonly PolicyRule[];
}

/** A rule, and whose it is. */
export interface PolicyRule extends Rule {
  readonly origin?: 'user' | 'project';
}
