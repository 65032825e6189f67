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

/** What a configuration decides for one sort of tool call. Each field that is present has to match. */
export interface Rule {
  /** The ACP kind: `read`, `edit`, `execute`, … */
  readonly tool: string;
  /** The whole command. */
  readonly command?: string;
  /** The first words of the command. */
  readonly commandPrefix?: string;
  /** A file, or a folder and all below it; relative to the session's directory. */
  readonly path?: string;
  readonly decision: 'allow' | 'ask' | 'deny';
}

/** What decides about permissions when nobody is asked. */
export interface Policy {
  readonly approve: Approve;
  readonly rules: readonly Rule[];
}
