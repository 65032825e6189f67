import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { splitLines } from './content-diff.ts';

/** Changed lines of a file, with up to three context lines. */
export interface Hunk {
  /** The id, which stays the same while the lines do, regardless of their position. */
  readonly id: string;
  /** `@@ -1,3 +1,4 @@` */
  readonly header: string;
  /** The lines with their signs: ` `, `+`, `-`, or `\` for git's note about a missing line end. */
  readonly lines: readonly string[];
}

/** A hunk with its bytes, and where it is in the new file. */
export interface ByteHunk {
  readonly hunk: Hunk;
  /** The index of its first line in the new file. */
  readonly start: number;
  /** Its lines in the new file and in the old file, with their line ends. */
  readonly newLines: readonly Buffer[];
  readonly oldLines: readonly Buffer[];
}

/** Reads the hunks of one file. */
export function parseHunks(path: string, body: Buffer): readonly ByteHunk[] {
  const counts = new Map<string, number>();
  const hunks: ByteHunk[] = [];
  let lines: Buffer[] = [];
  let header: Buffer | undefined;
  const finish = (): void => {
    if (header === undefined) return;
    const text = Buffer.concat(lines);
    const key = createHash('sha256')
      .update(path)
      .update('\0')
      .update(text)
      .digest('hex')
      .slice(0, idCharacters);
    // Hunks of the very same lines differ by their order.
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    hunks.push(toByteHunk(count === 1 ? key : `${key}-${String(count)}`, header, lines));
  };
  for (const line of splitLines(body)) {
    if (line[0] === sign('@')) {
      finish();
      header = line;
      lines = [];
    } else lines.push(line);
  }
  finish();
  return hunks;
}

/** How many lines hunks add and delete. */
export function countLines(hunks: readonly ByteHunk[]): {
  readonly additions: number;
  readonly deletions: number;
} {
  const starting = (first: string): number =>
    hunks.reduce((sum, { hunk }) => sum + hunk.lines.filter((line) => line.startsWith(first)).length, 0);
  return { additions: starting('+'), deletions: starting('-') };
}

/** The new content with some of its hunks reverted. */
export function withoutHunks(content: Uint8Array, hunks: readonly ByteHunk[]): Buffer {
  const lines = [...splitLines(content)];
  for (const { start, newLines, oldLines } of hunks.toSorted((left, right) => right.start - left.start)) {
    lines.splice(start, newLines.length, ...oldLines);
  }
  return Buffer.concat(lines);
}

/** Characters of a hunk id. */
const idCharacters = 16;

function toByteHunk(id: string, header: Buffer, lines: readonly Buffer[]): ByteHunk {
  const [, first = '0', count = '1'] =
    /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/u.exec(header.toString('latin1')) ?? [];
  return {
    hunk: { id, header: textOf(header), lines: lines.map(textOf) },
    // Of no lines, git names the one before.
    start: count === '0' ? Number(first) : Number(first) - 1,
    newLines: linesOf(lines, sign('+')),
    oldLines: linesOf(lines, sign('-')),
  };
}

/** The lines of one side; a line that `\` follows has no line end. */
function linesOf(lines: readonly Buffer[], side: number): readonly Buffer[] {
  return lines.flatMap((line, index) => {
    if (line[0] !== side && line[0] !== sign(' ')) return [];
    return [lines[index + 1]?.[0] === sign('\\') ? line.subarray(1, -1) : line.subarray(1)];
  });
}

function textOf(line: Buffer): string {
  return (line.at(-1) === 10 ? line.subarray(0, -1) : line).toString();
}

function sign(character: string): number {
  return character.charCodeAt(0);
}
