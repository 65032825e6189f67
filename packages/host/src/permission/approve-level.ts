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
