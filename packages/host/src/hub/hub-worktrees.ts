import type { ChangedPath } from '../event/changes-event.ts';
import type { NewSessionWorktree, SessionParams } from './hub-methods.ts';

/** Methods of the hub for worktrees and races. */
export const worktreeMethods = {
  /** Request, no params: returns a {@link WorktreesList} of the worktrees visible to the client. */
  list: '_parley/worktrees/list',
  /** Request, `SessionParams`: returns the changes in the worktree of a session, a `ChangesDiff`. */
  diff: '_parley/worktrees/diff',
  /** Request, {@link MergeWorktreeParams}: returns a {@link MergeWorktreeResult}. */
  merge: '_parley/worktrees/merge',
  /** Request, {@link RemoveWorktreeParams}: returns a {@link RemoveWorktreeResult}. */
  remove: '_parley/worktrees/remove',
  /** Request, {@link BeginRaceParams}: returns a {@link BeginRaceResult} as soon as the worktrees are open. */
  race: '_parley/races/begin',
} as const;

/** The worktrees visible to a client. */
export interface WorktreesList {
  /** Oldest first. */
  readonly worktrees: readonly ListedWorktree[];
}

/** A git worktree that sessions use or used. */
export interface ListedWorktree {
  readonly name: string;
  readonly path: string;
  readonly branch: string;
  /** The base commit, and how the user named it. */
  readonly base: string;
  readonly baseRef: string;
  /** The top folder of its original checkout. */
  readonly checkout: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /**
   * The session that used it last, among those visible to the client. The methods for one worktree identify it by
   * this.
   */
  readonly session?: string;
  /** `merged`: all changes also exist elsewhere. `unknown`: it cannot be read. */
  readonly state: 'clean' | 'changed' | 'merged' | 'unknown';
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
  readonly race?: ListedRunner;
}

/** A runner of a race, with its worktree. */
export interface ListedRunner {
  /** The id of the race, shared by all its runners. */
  readonly id: string;
  readonly agent: string;
  /** The beginning of the prompt. */
  readonly prompt: string;
  /** The command of the check. @default no check */
  readonly command?: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** `interrupted`: its process ended before the runner did; the stored data is shown. */
  readonly state: 'running' | 'checking' | 'ended' | 'interrupted';
  /** The exit status that `parley run` would have, for a race that the command started. */
  readonly exitCode?: number;
  readonly stopReason?: string;
  /** Why the turn failed. */
  readonly error?: string;
  readonly seconds?: number;
  readonly usage?: Readonly<Record<string, number>>;
  readonly check?: {
    readonly exitCode: number;
    readonly seconds: number;
    /** The end of its output. */
    readonly output: string;
  };
}

/** Options for merging a worktree into its original checkout. */
export interface MergeWorktreeParams extends SessionParams {
  /** Creates one commit with this message. @default the changes stay uncommitted */
  readonly message?: string;
  /** Whether to change nothing and only report. @default false */
  readonly dryRun?: boolean;
}

/** The effect of a merge on the checkout. */
export interface MergeWorktreeResult {
  readonly checkout: string;
  readonly commit?: string;
  /** The changed files of the checkout. */
  readonly files: readonly MergedFile[];
  /** Repositories in the worktree that are not part of it, and were not merged. */
  readonly repositories: readonly string[];
}

/** A merged file. */
export interface MergedFile {
  readonly path: ChangedPath;
  /** Both absent for a file that is not text. */
  readonly additions?: number;
  readonly deletions?: number;
}

/** Options for removing a worktree with its branch. */
export interface RemoveWorktreeParams extends SessionParams {
  /** Whether to save changes that exist nowhere else under a ref. @default refuse to remove the worktree */
  readonly discard?: boolean;
  /** Whether to change nothing and only report. @default false */
  readonly dryRun?: boolean;
}

/** The result of a removal. */
export interface RemoveWorktreeResult {
  /** The ref with the saved changes, if they exist nowhere else. */
  readonly savedAs?: string;
}

/** A prompt for several agents, each in a worktree of its own. */
export interface BeginRaceParams extends Pick<NewSessionWorktree, 'base' | 'withChanges'> {
  readonly cwd: string;
  /** The agents, one for each runner; an agent can be listed twice. */
  readonly agents: readonly string[];
  readonly prompt: string;
  /**
   * A command that runs in each worktree after its turn; requires a token with the scope `admin`. @default no check
   */
  readonly check?: string;
}

/** A started race. */
export interface BeginRaceResult {
  readonly id: string;
  /** Notes about the worktrees for the user. */
  readonly notes: readonly string[];
}
