import type { DiffFile } from '@parley/host/hub';
import { describe, expect, test } from 'vitest';
import { openFiles, openLines } from '../../limits.ts';
import { countReviewed, nextHead, toRows, type RowsOptions } from './changes-rows.ts';

const shown: RowsOptions = { isSplit: false, onlyUnreviewed: false, opened: new Map(), commented: undefined };

function file(path: string, known: Partial<DiffFile> = {}): DiffFile {
  return {
    path,
    status: 'modified',
    additions: 1,
    deletions: 1,
    binary: false,
    reported: true,
    hunks: [
      {
        id: `${path} 1`,
        header: '@@ -1,2 +1,2 @@',
        lines: [' a', '-b', '+c', '\\ No newline at end of file'],
      },
    ],
    ...known,
  };
}

describe('rows', () => {
  test('are those of files, hunks, lines and omitted files', () => {
    const rows = toRows({ files: [file('x')], omitted: [{ path: 'big', why: 'too-large' }] }, shown);

    expect(rows.map(({ kind }) => kind)).toEqual(['file', 'hunk', 'line', 'line', 'line', 'omitted']);
    expect(rows.flatMap((row) => (row.kind === 'line' ? [row.line] : []))).toMatchObject([
      { kind: 'same', oldLine: 1, newLine: 1, text: 'a' },
      { kind: 'removed', oldLine: 2, text: 'b' },
      { kind: 'added', newLine: 2, text: 'c' },
    ]);
  });

  test('side by side, a line is next to the one that replaces it', () => {
    const rows = toRows({ files: [file('x')], omitted: [] }, { ...shown, isSplit: true });

    expect(
      rows.flatMap((row) => (row.kind === 'pair' ? [[row.pair.left?.text, row.pair.right?.text]] : [])),
    ).toEqual([
      ['a', 'a'],
      ['b', 'c'],
    ]);
  });

  test('of many files or lines are collapsed until they are opened', () => {
    const many = { files: Array.from({ length: openFiles + 1 }, (_, at) => file(String(at))), omitted: [] };
    const long = { files: [file('x', { additions: openLines })], omitted: [] };

    expect(toRows(many, shown).every(({ kind }) => kind === 'file')).toBe(true);
    expect(toRows(long, shown)).toHaveLength(1);
    expect(toRows(long, { ...shown, opened: new Map([['file x', true]]) })).toHaveLength(5);
  });

  test('that were reviewed are hidden, with files that have no others', () => {
    const [hunk] = file('x').hunks;
    const reviewed = file('x', { hunks: hunk === undefined ? [] : [{ ...hunk, reviewed: true }] });
    const diff = { files: [reviewed, file('y'), file('image', { hunks: [], binary: true })], omitted: [] };

    const rows = toRows(diff, { ...shown, onlyUnreviewed: true });

    expect(rows.flatMap((row) => (row.kind === 'file' ? [row.file.path] : []))).toEqual(['y', 'image']);
    expect(countReviewed(diff)).toEqual({ reviewed: 1, all: 2 });
  });

  test('have the form for a comment below what it is about', () => {
    const [, hunk] = toRows({ files: [file('x')], omitted: [] }, shown);

    const rows = toRows({ files: [file('x')], omitted: [] }, { ...shown, commented: hunk?.key });

    expect(rows[2]).toMatchObject({ kind: 'comment', lines: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] });
  });

  test('are navigated by files and hunks, and navigation stops at both ends', () => {
    const rows = toRows({ files: [file('x'), file('y')], omitted: [] }, shown);

    expect([nextHead(rows, -1, 1), nextHead(rows, 0, 1), nextHead(rows, 1, 1), nextHead(rows, 6, 1)]).toEqual(
      [0, 1, 5, 6],
    );
    expect(nextHead(rows, 0, -1)).toBe(0);
  });
});
