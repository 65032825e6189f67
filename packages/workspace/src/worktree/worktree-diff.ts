import type { FileEntry } from '../checkpoint/checkpoint.ts';
import { isFileMode } from '../checkpoint/entries.ts';
import { toWorkspacePath, type WorkspacePath } from '../checkpoint/workspace-path.ts';
import { diffFiles, type ChangedFile, type FileDiff } from '../diff/diff-files.ts';
import { runGit, toRecords, type GitOptions } from '../git/run-git.ts';
import type { WorktreePlace, WorktreeRecord } from './record.ts';
import { openScratch } from './scratch.ts';
import { workingTreeOf, worktreeTree } from './worktree-state.ts';

/** The changes of a worktree, by hunk. */
export interface WorktreeDiff {
  readonly files: readonly DiffedFile[];
  readonly omitted: readonly { readonly path: WorkspacePath; readonly why: 'repository' | 'too-large' }[];
}

/** A changed file with its git modes. */
export interface DiffedFile extends FileDiff {
  readonly oldMode?: string;
  readonly newMode?: string;
}

/** Size of a file that is compared: 10 MiB. */
const maxFileBytes = 10 * 1024 * 1024;

/** Total size of the files that are compared in one worktree: 128 MiB, both sides together. */
const maxDiffBytes = 128 * 1024 * 1024;

/** Compares a worktree with its base: the changes that a merge would apply. Changes nothing. */
export async function worktreeDiff(record: WorktreeRecord, place: WorktreePlace): Promise<WorktreeDiff> {
  const tree = await workingTreeOf(record);
  await using scratch = await openScratch(tree, { forgets: true });
  const now = await worktreeTree(record, scratch, place);
  const git = scratch.git('now');
  const changes = await changesBetween(record.start, now.tree, git);
  const { compared, tooLarge } = withinBounds(changes, await sizesOf(changes, git));
  const contents = await contentsOf(compared, git);
  const diffs = await diffFiles(compared, {
    read: (blob) => Promise.resolve(contents.get(blob) ?? Buffer.alloc(0)),
  });
  const modes = new Map(compared.map((change) => [keyOf(change.path), change]));
  return {
    files: diffs.map((diff) => {
      const { before, after } = modes.get(keyOf(diff.path)) ?? {};
      return {
        ...diff,
        ...(before !== undefined && { oldMode: before.mode }),
        ...(after !== undefined && { newMode: after.mode }),
      };
    }),
    omitted: [
      ...tooLarge.map(({ path }) => ({ path, why: 'too-large' as const })),
      ...now.repositories.map((folder) => ({ path: toWorkspacePath(folder), why: 'repository' as const })),
    ],
  };
}

async function changesBetween(
  before: string,
  after: string,
  git: GitOptions,
): Promise<readonly ChangedFile[]> {
  const { stdout } = await runGit(
    ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', before, after],
    git,
  );
  const records = toRecords(stdout);
  return records.flatMap((record, index): ChangedFile[] => {
    const path = records[index + 1];
    if (index % 2 === 1 || path === undefined) return [];
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = ''] = record.slice(1).split(' ');
    const [old, next] = [entryOf(oldMode, oldBlob), entryOf(newMode, newBlob)];
    // A submodule on both sides is no file.
    if (old === undefined && next === undefined) return [];
    return [
      {
        path: toWorkspacePath(path),
        ...(old !== undefined && { before: old }),
        ...(next !== undefined && { after: next }),
      },
    ];
  });
}

function entryOf(mode: string, blob: string): FileEntry | undefined {
  return isFileMode(mode) ? { mode, permissions: Number.parseInt(mode.slice(-3), 8), blob } : undefined;
}

async function sizesOf(
  changes: readonly ChangedFile[],
  git: GitOptions,
): Promise<ReadonlyMap<string, number>> {
  const { stdout } = await runGit(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    ...git,
    input: blobsOf(changes).join('\n'),
  });
  return new Map(
    stdout
      .toString()
      .split('\n')
      .map((line) => {
        const [blob = '', size = ''] = line.split(' ');
        return [blob, Number(size)] as const;
      }),
  );
}

function withinBounds(
  changes: readonly ChangedFile[],
  sizes: ReadonlyMap<string, number>,
): { readonly compared: readonly ChangedFile[]; readonly tooLarge: readonly ChangedFile[] } {
  let bytes = 0;
  const compared: ChangedFile[] = [];
  const tooLarge: ChangedFile[] = [];
  for (const change of changes) {
    const own = blobsOf([change]).map((blob) => sizes.get(blob) ?? 0);
    const sum = own.reduce((left, right) => left + right, 0);
    if (own.some((size) => size > maxFileBytes) || bytes + sum > maxDiffBytes) {
      tooLarge.push(change);
    } else {
      bytes += sum;
      compared.push(change);
    }
  }
  return { compared, tooLarge };
}

async function contentsOf(
  changes: readonly ChangedFile[],
  git: GitOptions,
): Promise<ReadonlyMap<string, Buffer>> {
  const { stdout } = await runGit(['cat-file', '--batch'], { ...git, input: blobsOf(changes).join('\n') });
  const contents = new Map<string, Buffer>();
  for (let start = 0; start < stdout.length;) {
    const end = stdout.indexOf(10, start);
    const [blob = '', , size = ''] = stdout.subarray(start, end).toString('latin1').split(' ');
    if (end === -1 || size === '') break;
    contents.set(blob, stdout.subarray(end + 1, end + 1 + Number(size)));
    start = end + 1 + Number(size) + 1;
  }
  return contents;
}

function blobsOf(changes: readonly ChangedFile[]): readonly string[] {
  const blobs = changes.flatMap(({ before, after }) => [before?.blob, after?.blob]);
  return [...new Set(blobs)].filter((blob) => blob !== undefined);
}

function keyOf(path: WorkspacePath): string {
  return typeof path === 'string' ? path : `base64 ${path.base64}`;
}
