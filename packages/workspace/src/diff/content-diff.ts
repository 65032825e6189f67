import { Buffer } from 'node:buffer';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gitFailure, isolatedVariables, runGit } from '../git/run-git.ts';

/** Two contents to compare; undefined where there is no file. */
export interface ContentPair {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** What differs between two contents, as git writes it: its hunks, or with `binary` a binary patch. Empty where nothing does. */
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

/** Compares many contents in one run of git, in their order. */
export async function diffContents(
  pairs: AsyncIterable<ContentPair>,
  { binary = false, signal }: ContentDiffOptions = {},
): Promise<readonly ContentDiff[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-diff-'));
  try {
    await mkdir(path.join(folder, 'a'));
    await mkdir(path.join(folder, 'b'));
    let count = 0;
    // Files are numbered: no name of theirs gives them attributes.
    for await (const { before, after } of pairs) {
      if (before !== undefined) await writeFile(path.join(folder, 'a', String(count)), before);
      if (after !== undefined) await writeFile(path.join(folder, 'b', String(count)), after);
      count += 1;
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
    const env = { ...isolatedVariables(), GIT_CEILING_DIRECTORIES: path.dirname(folder) };
    const options = { cwd: folder, env, ...(signal !== undefined && { signal }) };
    const result = await runGit(
      [...args, ...(binary ? ['--binary', '--full-index'] : []), 'a', 'b'],
      options,
    );
    // 1: they differ.
    if (result.status.exitCode !== 0 && result.status.exitCode !== 1) throw gitFailure(args, result);
    const found = splitDiffs(result.stdout);
    return Array.from(
      { length: count },
      (_, index) => found.get(index) ?? { isBinary: false, body: Buffer.alloc(0) },
    );
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

/** In a diff, only its headers begin with these words: a line of a file has a sign before it. */
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
