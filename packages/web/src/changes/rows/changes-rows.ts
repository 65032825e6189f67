import type { ChangesDiff, DiffFile, DiffHunk } from '@parley/host/hub';
import { pathKey, type OmittedFile } from '@parley/host/state';
import { pairLines, type DiffLine, type DiffPair } from '../../conversation/diff/to-diff.ts';
import { openFiles, openLines } from '../../limits.ts';
import { readHunk, type HunkLines } from './read-hunk.ts';

/** A row of the panel. The rows of all files form one list, of which only the visible ones are rendered. */
export type ChangesRow =
  | { readonly kind: 'file'; readonly key: string; readonly file: DiffFile; readonly isOpen: boolean }
  | HunkRow
  | LineRow
  | PairRow
  | { readonly kind: 'note'; readonly key: string; readonly file: DiffFile }
  | CommentRow
  | { readonly kind: 'omitted'; readonly key: string; readonly files: readonly OmittedFile[] };

/** The header of a hunk. */
export interface HunkRow extends InHunk {
  readonly kind: 'hunk';
}

/** A line, unified. */
export interface LineRow extends InHunk {
  readonly kind: 'line';
  readonly line: DiffLine;
}

/** Lines side by side. */
export interface PairRow extends InHunk {
  readonly kind: 'pair';
  readonly pair: DiffPair;
}

/** The text field of a comment, below the lines it refers to. */
export interface CommentRow extends InHunk {
  readonly kind: 'comment';
  readonly lines: readonly DiffLine[];
}

interface InHunk {
  readonly key: string;
  readonly file: DiffFile;
  readonly hunk: DiffHunk;
  readonly content: HunkLines;
}

/** What of the changes is shown, and how. */
export interface RowsOptions {
  readonly isSplit: boolean;
  readonly onlyUnreviewed: boolean;
  /** Files that were opened and closed by hand, by {@link fileKey}. */
  readonly opened: ReadonlyMap<string, boolean>;
  /** The row that a comment is being written on. */
  readonly commented: string | undefined;
}

/** The rows of a diff. */
export function toRows(diff: ChangesDiff, options: RowsOptions): readonly ChangesRow[] {
  const files = options.onlyUnreviewed ? diff.files.flatMap(withoutReviewed) : diff.files;
  const isOpenByItself = fitsOpen(files);
  const rows = files.flatMap((file): ChangesRow[] => {
    const key = fileKey(file);
    const isOpen = options.opened.get(key) ?? isOpenByItself;
    const head: ChangesRow = { kind: 'file', key, file, isOpen };
    if (!isOpen) return [head];
    if (file.hunks.length === 0) return [head, { kind: 'note', key: `${key}\nnote`, file }];
    return [head, ...file.hunks.flatMap((hunk) => hunkRows(file, hunk, options))];
  });
  return diff.omitted.length === 0
    ? rows
    : [...rows, { kind: 'omitted', key: 'omitted', files: diff.omitted }];
}

/** The key of a file in the list. */
export function fileKey({ path }: DiffFile): string {
  return `file ${pathKey(path)}`;
}

/** Whether every hunk of a file was marked as reviewed. */
export function isReviewed({ hunks }: DiffFile): boolean {
  return hunks.length > 0 && hunks.every(({ reviewed }) => reviewed === true);
}

/** Counts the hunks that can be reviewed and those that were. */
export function countReviewed({ files }: ChangesDiff): { readonly reviewed: number; readonly all: number } {
  const hunks = files.flatMap((file) => file.hunks);
  return { reviewed: hunks.filter(({ reviewed }) => reviewed === true).length, all: hunks.length };
}

/** The next row from a place on that begins a file or a hunk. */
export function nextHead(rows: readonly ChangesRow[], from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    const kind = rows[index]?.kind;
    if (kind === 'file' || kind === 'hunk' || kind === 'omitted') return index;
  }
  return from;
}

function withoutReviewed(file: DiffFile): readonly DiffFile[] {
  if (file.hunks.length === 0) return [file];
  const hunks = file.hunks.filter(({ reviewed }) => reviewed !== true);
  return hunks.length === 0 ? [] : [{ ...file, hunks }];
}

/** Few changes are shown at once; of many, the files first. */
function fitsOpen(files: readonly DiffFile[]): boolean {
  if (files.length > openFiles) return false;
  const lines = files.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  return lines <= openLines;
}

function hunkRows(
  file: DiffFile,
  hunk: DiffHunk,
  { isSplit, commented }: RowsOptions,
): readonly ChangesRow[] {
  const content = readHunk(hunk);
  const about = { file, hunk, content };
  const key = `${fileKey(file)}\n${hunk.id}`;
  const rows: ChangesRow[] = [];
  const add = (row: HunkRow | LineRow | PairRow, lines: readonly DiffLine[]): void => {
    rows.push(row);
    if (row.key === commented) rows.push({ kind: 'comment', key: `${row.key} comment`, ...about, lines });
  };
  add({ kind: 'hunk', key, ...about }, content.lines);
  if (isSplit) {
    for (const [index, pair] of pairLines(content.lines).entries()) {
      const sides = pair.left === pair.right ? [pair.left] : [pair.left, pair.right];
      add(
        { kind: 'pair', key: `${key} pair ${String(index)}`, ...about, pair },
        sides.filter((line) => line !== undefined),
      );
    }
  } else {
    for (const [index, line] of content.lines.entries()) {
      add({ kind: 'line', key: `${key} line ${String(index)}`, ...about, line }, [line]);
    }
  }
  return rows;
}
