import type { DiffHunk } from '@parley/host/hub';
import { withPieces, type DiffLine } from '../../conversation/diff/to-diff.ts';
import { comparedHunk } from '../../limits.ts';

/** A hunk by its lines, with their numbers. */
export interface HunkLines {
  readonly lines: readonly DiffLine[];
  /** The number of the line before, on the side where the line does not exist. */
  readonly oldLine: number;
  readonly newLine: number;
  /** The file does not end with a line break, before or after the change. */
  readonly isUnended: boolean;
}

const read = new WeakMap<DiffHunk, HunkLines>();

/** Parses the lines of a hunk; the result is cached. */
export function readHunk(hunk: DiffHunk): HunkLines {
  const known = read.get(hunk);
  if (known !== undefined) return known;
  const lines = toLines(hunk);
  read.set(hunk, lines);
  return lines;
}

function toLines({ header, lines: texts }: DiffHunk): HunkLines {
  const [, old = '1', now = '1'] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/u.exec(header) ?? [];
  let oldLine = Number(old);
  let newLine = Number(now);
  const begin = { oldLine, newLine };
  const lines = texts.flatMap((line): DiffLine[] => {
    const text = line.slice(1);
    switch (line[0]) {
      case '+':
        return [{ kind: 'added', newLine: newLine++, text }];
      case '-':
        return [{ kind: 'removed', oldLine: oldLine++, text }];
      case '\\':
        return [];
      default:
        return [{ kind: 'same', oldLine: oldLine++, newLine: newLine++, text }];
    }
  });
  return {
    lines: lines.length <= comparedHunk ? withPieces(lines) : lines,
    ...begin,
    isUnended: texts.some((line) => line.startsWith('\\')),
  };
}
