import { readdirSync, type Dirent } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { OmittedPath } from '../checkpoint.ts';
import type { Git, GitRun } from '../git.ts';
import { toSystemPath, type BytePath } from '../workspace-path.ts';
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

/** Compares a folder with its index, with one `lstat` for each file and no file read. */
export async function walk(git: Git, request: WalkRequest): Promise<Walk> {
  const run = (args: readonly string[]): Promise<readonly string[]> => list(git, args, runOptions(request));
  const others = run(['ls-files', '-z', '-o', ...request.rules.args]);
  const stale = request.hasIndex ? run(['diff-files', '--raw', '-z', '--no-renames', '--relative']) : [];
  const ignored = run(['ls-files', '-z', '-o', '-i', '--directory', ...request.rules.args]);
  const [raw, listed, excluded, found] = await Promise.all([
    stale,
    others,
    ignored,
    Promise.all([ignored, others]).then(([skipped, names]) =>
      walkFolders(request.folder, {
        skipped: new Set([...skipped, ...names.filter(isFolder)]),
        signal: request.signal,
      }),
    ),
  ]);
  return {
    stale: new Map(pairs(raw).map(([head, file]) => [file, head.endsWith('D')])),
    untracked: listed.filter((name) => !isFolder(name)),
    nested: listed.filter(isFolder).map((name) => name.slice(0, -1)),
    ignored: excluded,
    ...found,
  };
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

function isFolder(name: BytePath): boolean {
  return name.endsWith('/');
}

function pairs(parts: readonly string[]): readonly (readonly [string, string])[] {
  return parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? ''] as const] : []));
}

type FoundFolders = Pick<Walk, 'folders' | 'special' | 'unreadable'>;

/** Folders and what git does not list. Ignored folders and nested repositories are skipped, links not followed. */
async function walkFolders(
  top: string,
  { skipped, signal }: { readonly skipped: ReadonlySet<BytePath>; readonly signal: AbortSignal | undefined },
): Promise<FoundFolders> {
  const found = {
    folders: new Map<BytePath, number>(),
    special: new Array<BytePath>(),
    unreadable: new Array<BytePath>(),
  };
  const waiting: BytePath[] = [''];
  let since = performance.now();
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const prefix = folder === '' ? '' : `${folder}/`;
    const entries = readFolder(toSystemPath(top, folder));
    if (entries === undefined) found.unreadable.push(folder);
    if (folder !== '') found.folders.set(folder, permissionsOf(toSystemPath(top, folder)));
    for (const entry of entries ?? []) {
      if (entry.isFile() || entry.isSymbolicLink() || entry.name === '.git') continue;
      const name = `${prefix}${entry.name}`;
      if (!entry.isDirectory()) {
        if (!skipped.has(name)) found.special.push(name);
      } else if (!skipped.has(`${name}/`)) waiting.push(name);
    }
    if (performance.now() - since < mostBlockingMs) continue;
    await setImmediate();
    signal?.throwIfAborted();
    since = performance.now();
  }
  return found;
}

/** How long the walk may hold up the rest of the process. */
export const mostBlockingMs = 5;

/** The permission bits of a folder. */
export function permissionsOf(folder: string | Buffer): number {
  return Number((statOf(folder)?.mode ?? 0o755n) & 0o7777n);
}

function readFolder(folder: string | Buffer): readonly Dirent[] | undefined {
  try {
    // 'latin1' gives one character for each byte.
    return readdirSync(folder, { withFileTypes: true, encoding: 'latin1' });
  } catch {
    return undefined;
  }
}

/** What a walk alone says is left out. */
export function omittedByWalk({
  special,
  unreadable,
}: Walk): readonly (readonly [BytePath, OmittedPath['why']])[] {
  return [
    ...special.map((name) => [name, 'special'] as const),
    ...unreadable.map((name) => [name, 'unreadable'] as const),
  ];
}
