import type { FileChange } from '../checkpoint/checkpoint.ts';
import type { WorkspacePath } from '../checkpoint/workspace-path.ts';
import { toCheckedPath } from '../restore/byte-path.ts';
import type { ReadBlob } from '../restore/contents.ts';
import { type ContentPair, diffContents } from './content-diff.ts';
import { type ByteHunk, type Hunk, countLines, parseHunks } from './hunk.ts';

/** The changes of one file. */
export interface FileDiff {
  readonly path: WorkspacePath;
  readonly oldPath?: WorkspacePath;
  readonly status: FileChange['status'];
  readonly additions: number;
  readonly deletions: number;
  /** Whether the file is not text: it then has no hunks. */
  readonly binary: boolean;
  readonly hunks: readonly Hunk[];
}

/** A file before and after a change. */
export type ChangedFile = Pick<FileChange, 'path' | 'oldPath' | 'before' | 'after'>;

/** Reads the contents of compared files. */
export interface DiffOptions {
  readonly read: ReadBlob;
  readonly signal?: AbortSignal;
}

/** Compares files line by line. The content of a link is its target path. */
export async function diffFiles(
  changes: readonly ChangedFile[],
  options: DiffOptions,
): Promise<readonly FileDiff[]> {
  const diffs = await diffWithBytes(changes, options);
  return diffs.map(({ file }) => file);
}

/** Compares files, for what works on their bytes. */
export async function diffWithBytes(
  changes: readonly ChangedFile[],
  { read, signal }: DiffOptions,
): Promise<readonly { readonly file: FileDiff; readonly hunks: readonly ByteHunk[] }[]> {
  const diffs = await diffContents(pairsOf(changes, read), { ...(signal !== undefined && { signal }) });
  return changes.map((change, index) => {
    const { isBinary: binary = false, body } = diffs[index] ?? {};
    const hunks = body === undefined ? [] : parseHunks(toCheckedPath(change.path), body);
    const { path, oldPath } = change;
    const file = {
      path,
      ...(oldPath !== undefined && { oldPath }),
      status: statusOf(change),
      ...countLines(hunks),
      binary,
      hunks: hunks.map(({ hunk }) => hunk),
    };
    return { file, hunks };
  });
}

async function* pairsOf(changes: readonly ChangedFile[], read: ReadBlob): AsyncGenerator<ContentPair, void> {
  for (const { before, after } of changes) {
    if (before?.blob === after?.blob) yield { before: undefined, after: undefined };
    else {
      yield {
        before: before === undefined ? undefined : await read(before.blob),
        after: after === undefined ? undefined : await read(after.blob),
      };
    }
  }
}

function statusOf({ oldPath, before, after }: ChangedFile): FileChange['status'] {
  if (oldPath !== undefined) return 'renamed';
  if (before === undefined) return 'added';
  if (after === undefined) return 'deleted';
  return before.blob === after.blob ? 'mode' : 'modified';
}
