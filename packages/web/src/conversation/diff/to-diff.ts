import { diffArrays, diffWordsWithSpace } from 'diff';
import { comparedLine, longestEdit } from '../../limits.ts';

/** A part of a line; `isChanged` if it differs in the opposite line. */
export interface DiffPiece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A line of a file before a change, after it, or in both. Numbers are from 1. */
export type DiffLine =
  | { readonly kind: 'same'; readonly oldLine: number; readonly newLine: number; readonly text: string }
  | {
      readonly kind: 'removed';
      readonly oldLine: number;
      readonly text: string;
      readonly pieces?: readonly DiffPiece[];
    }
  | {
      readonly kind: 'added';
      readonly newLine: number;
      readonly text: string;
      readonly pieces?: readonly DiffPiece[];
    };

/** The line of a {@link DiffLine} that is only in one of the files. */
export type ChangedLine = Exclude<DiffLine, { readonly kind: 'same' }>;

/** What a change does to a file. */
export interface FileDiff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

/** Lines of a file that are shown, or that are folded because nothing changes near them. */
export interface DiffSection {
  readonly kind: 'shown' | 'folded';
  readonly lines: readonly DiffLine[];
}

/** Two lines that are shown side by side. */
export interface DiffPair {
  readonly left?: DiffLine;
  readonly right?: DiffLine;
}

/** Number of unchanged lines around changes. */
const context = 3;

/** Computes the line diff of two texts. */
export function toDiff(oldText: string, newText: string): FileDiff {
  const before = linesOf(oldText);
  const after = linesOf(newText);
  const head = countSame(before, after, (index) => index);
  const rest = Math.min(before.length, after.length) - head;
  const tail = Math.min(
    rest,
    countSame(before, after, (index, length) => length - 1 - index),
  );
  const changed = compare(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  const lines: DiffLine[] = [];
  let oldLine = 0;
  let newLine = 0;
  const same = (text: string): void => {
    oldLine += 1;
    newLine += 1;
    lines.push({ kind: 'same', oldLine, newLine, text: withoutEnd(text) });
  };
  for (const text of before.slice(0, head)) same(text);
  for (const { kind, texts } of changed) {
    for (const text of texts) {
      if (kind === 'same') same(text);
      else if (kind === 'removed') lines.push({ kind, oldLine: (oldLine += 1), text: withoutEnd(text) });
      else lines.push({ kind, newLine: (newLine += 1), text: withoutEnd(text) });
    }
  }
  for (const text of before.slice(before.length - tail)) same(text);
  return {
    lines: withPieces(lines),
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
  };
}

/** The lines of a diff, where long parts without a change are set apart. */
export function foldDiff(lines: readonly DiffLine[]): readonly DiffSection[] {
  const sections: DiffSection[] = [];
  let begin = 0;
  while (begin < lines.length) {
    const isSame = lines[begin]?.kind === 'same';
    let end = begin;
    while (end < lines.length && (lines[end]?.kind === 'same') === isSame) end += 1;
    if (isSame) {
      const first = begin === 0 ? begin : begin + context;
      const last = end === lines.length ? end : end - context;
      // A line in place of a fold takes no more room.
      if (last - first > 1) {
        show(sections, lines.slice(begin, first));
        sections.push({ kind: 'folded', lines: lines.slice(first, last) });
        show(sections, lines.slice(last, end));
      } else {
        show(sections, lines.slice(begin, end));
      }
    } else {
      show(sections, lines.slice(begin, end));
    }
    begin = end;
  }
  return sections;
}

/** Pairs the lines of a diff for the side-by-side view: removed lines are opposite the added ones that replace them. */
export function pairLines(lines: readonly DiffLine[]): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    if (line === undefined) break;
    if (line.kind === 'same') {
      pairs.push({ left: line, right: line });
      index += 1;
      continue;
    }
    const { removed, added } = changeAt(lines, index);
    for (let row = 0; row < Math.max(removed.length, added.length); row += 1) {
      const left = removed[row];
      const right = added[row];
      pairs.push({ ...(left !== undefined && { left }), ...(right !== undefined && { right }) });
    }
    index += removed.length + added.length;
  }
  return pairs;
}

/** How many lines a text has. */
export function countLines(text: string): number {
  return linesOf(text).length;
}

/** Lines with their ends, so that a missing or another end is a change. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop();
  const ended = lines.map((line) => `${line}\n`);
  return last === undefined || last === '' ? ended : [...ended, last];
}

function withoutEnd(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}

function countSame(
  before: readonly string[],
  after: readonly string[],
  place: (index: number, length: number) => number,
): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && before[place(count, before.length)] === after[place(count, after.length)]) {
    count += 1;
  }
  return count;
}

interface Run {
  readonly kind: DiffLine['kind'];
  readonly texts: readonly string[];
}

function compare(before: readonly string[], after: readonly string[]): readonly Run[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: longestEdit });
  if (changes === undefined) {
    return [
      { kind: 'removed', texts: before },
      { kind: 'added', texts: after },
    ];
  }
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    texts: value,
  }));
}

/** What is removed and added in one place. */
function changeAt(
  lines: readonly DiffLine[],
  begin: number,
): { readonly removed: readonly ChangedLine[]; readonly added: readonly ChangedLine[] } {
  const take = (kind: ChangedLine['kind'], from: number): ChangedLine[] => {
    const taken: ChangedLine[] = [];
    for (let index = from; ; index += 1) {
      const line = lines[index];
      if (line === undefined || line.kind === 'same' || line.kind !== kind) return taken;
      taken.push(line);
    }
  };
  const removed = take('removed', begin);
  return { removed, added: take('added', begin + removed.length) };
}

/** Where as many lines were removed as added, each is compared with the one in its place. */
export function withPieces(lines: readonly DiffLine[]): readonly DiffLine[] {
  const marked = [...lines];
  for (let index = 0; index < lines.length;) {
    const { removed, added } = changeAt(lines, index);
    if (removed.length === added.length) {
      for (const [row, old] of removed.entries()) {
        const replacement = added[row];
        const pieces = replacement && compareWords(old.text, replacement.text);
        if (replacement === undefined || pieces === undefined) continue;
        marked[index + row] = { ...old, pieces: pieces.old };
        marked[index + removed.length + row] = { ...replacement, pieces: pieces.replacement };
      }
    }
    index += Math.max(1, removed.length + added.length);
  }
  return marked;
}

function compareWords(
  old: string,
  replacement: string,
): { readonly old: readonly DiffPiece[]; readonly replacement: readonly DiffPiece[] } | undefined {
  if (Math.max(old.length, replacement.length) > comparedLine) return undefined;
  const changes = diffWordsWithSpace(old, replacement);
  const same = changes.filter(({ added, removed }) => !added && !removed);
  const shared = same.reduce((sum, { value }) => sum + value.trim().length, 0);
  // Lines that share next to nothing are other lines.
  if (shared * 3 < Math.max(old.trim().length, replacement.trim().length)) return undefined;
  return {
    old: changes
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, isChanged: removed })),
    replacement: changes
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, isChanged: added })),
  };
}

function show(sections: DiffSection[], lines: readonly DiffLine[]): void {
  if (lines.length === 0) return;
  const last = sections.at(-1);
  if (last?.kind === 'shown') {
    sections[sections.length - 1] = { kind: 'shown', lines: [...last.lines, ...lines] };
  } else {
    sections.push({ kind: 'shown', lines });
  }
}
