import { Buffer } from 'node:buffer';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runGit } from '../git/run-git.ts';

/** Two contents to compare; undefined where there is no file. */
export interface ContentPair {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/**
 * The difference between two contents in git's format: hunks, or with `binary` a binary patch. Empty if they are
 * equal.
 */
export interface ContentDiff {
  readonly isBinary: boolean;
  readonly body: Buffer;
}

/** How contents are compared. */
export interface ContentDiffOptions {
  /** Writes the content of binary files into their diffs. @default false */
  readonly binary?: boolean;
  readonly signal?: AbortSignal;
}

/** Bytes that one git command compares. */
const mostBatchBytes = 64 * 1024 * 1024;

/** Compares many contents in as few runs of git as possible; returns their diffs in the same order. */
export async function diffContents(
  pairs: AsyncIterable<ContentPair>,
  options: ContentDiffOptions = {},
): Promise<readonly ContentDiff[]> {
  const diffs: ContentDiff[] = [];
  let batch: ContentPair[] = [];
  let bytes = 0;
  for await (const pair of pairs) {
    batch.push(pair);
    bytes += (pair.before?.length ?? 0) + (pair.after?.length ?? 0);
    if (bytes < mostBatchBytes) continue;
    diffs.push(...(await diffBatch(batch, options)));
    batch = [];
    bytes = 0;
  }
  diffs.push(...(await diffBatch(batch, options)));
  return diffs;
}

async function diffBatch(
  pairs: readonly ContentPair[],
  { binary = false, signal }: ContentDiffOptions,
): Promise<readonly ContentDiff[]> {
  if (pairs.length === 0) return [];
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-diff-'));
  try {
    await mkdir(path.join(folder, 'a'));
    await mkdir(path.join(folder, 'b'));
    // Files are numbered: no name of theirs gives them attributes.
    for (const [index, { before, after }] of pairs.entries()) {
      if (before !== undefined) await writeFile(path.join(folder, 'a', String(index)), before);
      if (after !== undefined) await writeFile(path.join(folder, 'b', String(index)), after);
    }
    const args = [
      'diff',
      '--no-index',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      '--no-renames',
      '-U3',
    ];
    const { stdout } = await runGit([...args, ...(binary ? ['--binary', '--full-index'] : []), 'a', 'b'], {
      cwd: folder,
      isIsolated: true,
      // 1: they differ.
      statuses: [0, 1],
      ...(signal !== undefined && { signal }),
    });
    const found = splitDiffs(stdout);
    return pairs.map((_, index) => found.get(index) ?? { isBinary: false, body: Buffer.alloc(0) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The lines of a text as bytes, each with its line end. */
export function splitLines(bytes: Uint8Array): readonly Buffer[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Buffer[] = [];
  for (let start = 0; start < all.length;) {
    const end = all.indexOf(10, start);
    const next = end === -1 ? all.length : end + 1;
    lines.push(all.subarray(start, next));
    start = next;
  }
  return lines;
}

/** Only the headers of a diff start with these words: lines of a file have a prefix. */
const fileHeader = /^diff --git a\/[ab]\/(\d+) /u;

function splitDiffs(output: Buffer): ReadonlyMap<number, ContentDiff> {
  const diffs = new Map<number, ContentDiff>();
  let current:
    | { readonly index: number; isBinary: boolean; inBody: boolean; readonly lines: Buffer[] }
    | undefined;
  const finish = (): void => {
    if (current === undefined) return;
    diffs.set(current.index, { isBinary: current.isBinary, body: Buffer.concat(current.lines) });
  };
  for (const line of splitLines(output)) {
    const [, index] =
      line[0] === letterD ? (fileHeader.exec(line.subarray(0, 64).toString('latin1')) ?? []) : [];
    if (index !== undefined) {
      finish();
      current = { index: Number(index), isBinary: false, inBody: false, lines: [] };
      continue;
    }
    if (current === undefined) continue;
    if (!current.inBody) {
      const text = line.subarray(0, 16).toString('latin1');
      current.isBinary ||= text.startsWith('GIT binary patch') || text.startsWith('Binary files');
      current.inBody = text.startsWith('@@') || text.startsWith('GIT binary patch');
    }
    if (current.inBody) current.lines.push(line);
  }
  finish();
  return diffs;
}

const letterD = 'd'.charCodeAt(0);
