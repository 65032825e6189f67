import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countLines, foldDiff, pairLines, toDiff, type DiffLine } from './to-diff.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'let x = 1;', '', '  return', 'c\r'), { maxLength: 30 })
  .chain((lines) => fc.constantFrom(lines.join('\n'), `${lines.join('\n')}\n`));

function side(lines: readonly DiffLine[], kind: 'removed' | 'added'): string {
  return lines
    .filter((line) => line.kind === 'same' || line.kind === kind)
    .map((line) => line.text)
    .join('\n');
}

function withoutLastEnd(whole: string): string {
  return whole.endsWith('\n') ? whole.slice(0, -1) : whole;
}

describe('a diff', () => {
  test('contains both files, each line once and in order', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines, added, removed } = toDiff(before, after);
        expect(side(lines, 'removed')).toBe(withoutLastEnd(before));
        expect(side(lines, 'added')).toBe(withoutLastEnd(after));
        expect(lines.filter(({ kind }) => kind === 'added')).toHaveLength(added);
        expect(lines.filter(({ kind }) => kind === 'removed')).toHaveLength(removed);
        const oldLines = lines.flatMap((line) => (line.kind === 'added' ? [] : [line.oldLine]));
        expect(oldLines).toEqual(oldLines.map((_, index) => index + 1));
        const newLines = lines.flatMap((line) => (line.kind === 'removed' ? [] : [line.newLine]));
        expect(newLines).toEqual(newLines.map((_, index) => index + 1));
      }),
    );
  });

  test('marks the words that differ without changing the line', () => {
    const { lines } = toDiff('const limit = 10;\n', 'const limit = 20;\n');
    expect(lines).toMatchObject([
      { kind: 'removed', pieces: [{ isChanged: false }, { text: '10', isChanged: true }, { text: ';' }] },
      { kind: 'added', pieces: [{ isChanged: false }, { text: '20', isChanged: true }, { text: ';' }] },
    ]);
    fc.assert(
      fc.property(text, text, (before, after) => {
        for (const line of toDiff(before, after).lines) {
          if (line.kind === 'same' || line.pieces === undefined) continue;
          expect(line.pieces.map((piece) => piece.text).join('')).toBe(line.text);
        }
      }),
    );
  });

  test('words in very different lines are not marked', () => {
    const { lines } = toDiff('alpha beta\n', 'import fs from "node:fs";\n');
    expect(lines.every((line) => line.kind === 'same' || line.pieces === undefined)).toBe(true);
  });

  test('a missing newline at the end is a change', () => {
    expect(toDiff('a\nb', 'a\nb\n')).toMatchObject({ added: 1, removed: 1 });
  });

  test('files without common lines are compared quickly', () => {
    const before = Array.from({ length: 20_000 }, (_, line) => `old ${line}`).join('\n');
    const after = Array.from({ length: 20_000 }, (_, line) => `new ${line}`).join('\n');
    expect(toDiff(before, after)).toMatchObject({ added: 20_000, removed: 20_000 });
  });
});

describe('folding', () => {
  const many = Array.from({ length: 40 }, (_, line) => `line ${line}`);
  const other = many.with(20, 'changed');

  test('shows three lines around a change', () => {
    const sections = foldDiff(toDiff(many.join('\n'), other.join('\n')).lines);
    expect(sections.map(({ kind, lines }) => [kind, lines.length])).toEqual([
      ['folded', 17],
      ['shown', 8],
      ['folded', 16],
    ]);
  });

  test('loses nothing', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines } = toDiff(before, after);
        expect(foldDiff(lines).flatMap((section) => section.lines)).toEqual(lines);
      }),
    );
  });
});

describe('side by side', () => {
  test('removed lines are next to the lines that replace them', () => {
    const pairs = pairLines(toDiff('a\nb\nc\n', 'a\nx\ny\nc\n').lines);
    expect(pairs.map(({ left, right }) => [left?.text, right?.text])).toEqual([
      ['a', 'a'],
      ['b', 'x'],
      [undefined, 'y'],
      ['c', 'c'],
    ]);
  });

  test('each line appears once on its side', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines } = toDiff(before, after);
        const pairs = pairLines(lines);
        expect(pairs.flatMap(({ left }) => left ?? [])).toEqual(lines.filter(({ kind }) => kind !== 'added'));
        expect(pairs.flatMap(({ right }) => right ?? [])).toEqual(
          lines.filter(({ kind }) => kind !== 'removed'),
        );
      }),
    );
  });
});

test('a text has as many lines as an editor shows', () => {
  expect([countLines(''), countLines('a'), countLines('a\n'), countLines('a\n\nb')]).toEqual([0, 1, 1, 3]);
});
