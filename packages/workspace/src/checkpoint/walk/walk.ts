import type { OmittedPath } from '../checkpoint.ts';
import type { Git, GitRun } from '../git.ts';
import type { BytePath } from '../workspace-path.ts';
import type { CoverageRules } from './rules.ts';
import { statOf } from './stat.ts';

/** One walk over a folder and its index. Paths are relative to the folder. */
export interface Walk {
  /** Files of the index whose stat data differ; true: git does not find them. */
  readonly stale: ReadonlyMap<BytePath, boolean>;
  /** Files and links that the index does not have, and the rules cover. */
  readonly untracked: readonly BytePath[];
  /** Folders with a repository of their own. */
  readonly nested: readonly BytePath[];
  /** What the rules ignore; whole folders end with a slash. */
  readonly ignored: readonly BytePath[];
  /** All folders that are covered, with their permissions. */
  readonly folders: ReadonlyMap<BytePath, number>;
  readonly special: readonly BytePath[];
  /** Folders that cannot be read. */
  readonly unreadable: readonly BytePath[];
}

/** A folder to walk, and the index to compare it with. */
export interface WalkRequest {
  readonly folder: string;
  readonly rules: CoverageRules;
  readonly gitDir: string;
  readonly index: string;
  readonly hasIndex: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** How git runs for a folder and its index. */
export function runOptions({ folder, rules, gitDir, index, signal }: WalkRequest): GitRun {
  return { gitDir, cwd: folder, workTree: rules.workTree, index, signal };
}

/** The parts of what git wrote with `-z`. */
export async function list(git: Git, args: readonly string[], options: GitRun): Promise<readonly string[]> {
  const text = await git.run(args, options);
  return text === '' ? [] : text.slice(0, -1).split('\0');
}

/** Its parts two by two. */
export function pairs(parts: readonly string[]): readonly (readonly [string, string])[] {
  return parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? ''] as const] : []));
}

/** The permission bits of a folder. */
export function permissionsOf(folder: string | Buffer): number {
  return Number((statOf(folder)?.mode ?? 0o755n) & 0o7777n);
}

/** The paths that are left out according to the walk alone. */
export function omittedByWalk({
  special,
  unreadable,
}: Walk): readonly (readonly [BytePath, OmittedPath['why']])[] {
  return [
    ...special.map((name) => [name, 'special'] as const),
    ...unreadable.map((name) => [name, 'unreadable'] as const),
  ];
}
