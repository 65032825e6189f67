import { rm, writeFile } from 'node:fs/promises';
import { fromRecords, gitLine, runGit, toRecords, type GitOptions } from '../git/run-git.ts';
import type { Scratch } from './scratch.ts';
import { writeTree } from './trees.ts';

/** Three trees: what both sides began from, and the two sides. */
export interface MergedTrees {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** The result of a merge. Each character of a path is a byte. */
export type TreeMerge =
  | { readonly isClean: true; readonly tree: string }
  | { readonly isClean: false; readonly conflicts: readonly string[] };

/** One side of a path, as an index has it. */
interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** Merges two trees three-way, by file and by line. No working tree is read or written. */
export async function mergeTrees(
  { base, ours, theirs }: MergedTrees,
  scratch: Scratch,
  index: string,
): Promise<TreeMerge> {
  const git = scratch.git(index);
  await rm(scratch.file(index), { force: true });
  await runGit(['read-tree', '-i', '-m', '--aggressive', base, ours, theirs], git);
  const resolved = new Map<string, Entry | 'absent'>();
  const conflicts: string[] = [];
  for (const [file, sides] of await unmergedPaths(git)) {
    const entry = await mergeSides(sides, scratch, git);
    if (entry === 'conflict') conflicts.push(file);
    else resolved.set(file, entry);
  }
  conflicts.push(...(await filesThatAreFolders(resolved, git)));
  if (conflicts.length > 0) return { isClean: false, conflicts };
  const lines = Array.from(resolved, ([file, entry]) => [
    `0 ${'0'.repeat(base.length)}\t${file}`,
    ...(entry === 'absent' ? [] : [`${entry.mode} ${entry.id}\t${file}`]),
  ]);
  await runGit(['update-index', '-z', '--index-info'], { ...git, input: fromRecords(lines.flat()) });
  return { isClean: true, tree: await writeTree(git) };
}

/** The paths that would be a file and a folder. git leaves each file unmerged whose path is a folder on another side. */
async function filesThatAreFolders(
  resolved: ReadonlyMap<string, Entry | 'absent'>,
  git: GitOptions,
): Promise<readonly string[]> {
  if (resolved.size === 0) return [];
  const { stdout } = await runGit(['ls-files', '-z'], git);
  const files = new Set(toRecords(stdout).filter((file) => resolved.get(file) !== 'absent'));
  return [...files].filter((file) => {
    for (let end = file.indexOf('/'); end >= 0; end = file.indexOf('/', end + 1)) {
      if (files.has(file.slice(0, end))) return true;
    }
    return false;
  });
}

type Sides = readonly [base: Entry | undefined, ours: Entry | undefined, theirs: Entry | undefined];

async function unmergedPaths(git: GitOptions): Promise<ReadonlyMap<string, Sides>> {
  const { stdout } = await runGit(['ls-files', '-z', '-u'], git);
  const paths = new Map<string, [Entry?, Entry?, Entry?]>();
  for (const record of toRecords(stdout)) {
    const tab = record.indexOf('\t');
    const [mode = '', id = '', stage = ''] = record.slice(0, tab).split(' ');
    const file = record.slice(tab + 1);
    const sides = paths.get(file) ?? [];
    sides[Number(stage) - 1] = { mode, id };
    paths.set(file, sides);
  }
  return new Map(Array.from(paths, ([file, [base, ours, theirs]]) => [file, [base, ours, theirs]]));
}

/** The merged file. */
async function mergeSides(
  [base, ours, theirs]: Sides,
  scratch: Scratch,
  git: GitOptions,
): Promise<Entry | 'absent' | 'conflict'> {
  if (isSame(base, ours)) return theirs ?? 'absent';
  if (isSame(base, theirs)) return ours ?? 'absent';
  if (base === undefined || ours === undefined || theirs === undefined) return 'conflict';
  if (![base, ours, theirs].every(({ mode }) => mode === '100644' || mode === '100755')) return 'conflict';
  const mode = base.mode === ours.mode ? theirs.mode : ours.mode;
  if (ours.id === theirs.id) return { mode, id: ours.id };
  for (const [name, { id }] of [
    ['base', base],
    ['ours', ours],
    ['theirs', theirs],
  ] as const) {
    await writeFile(scratch.file(name), (await runGit(['cat-file', 'blob', id], git)).stdout);
  }
  // The status is the number of conflicts; 255 where a file is binary.
  const { status, stdout } = await runGit(
    ['merge-file', '-p', '-q', scratch.file('ours'), scratch.file('base'), scratch.file('theirs')],
    { ...git, statuses: mergeStatuses },
  );
  if (status !== 0) return 'conflict';
  return { mode, id: await gitLine(['hash-object', '-w', '--stdin'], { ...git, input: stdout }) };
}

function isSame(one: Entry | undefined, other: Entry | undefined): boolean {
  return one?.id === other?.id && one?.mode === other?.mode;
}

const mergeStatuses = Array.from({ length: 256 }, (_, status) => status);
