import type { ChangedFile, ChangedPath, MoreFiles, OmittedFile } from '@parley/host';
import type { ListedTurn, Unavailable } from '@parley/host/hub';
import { toColumns } from '../output/columns.ts';
import { toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import { toLocalTime } from '../output/time-text.ts';
import { countText, pathText } from './path-text.ts';

/** A turn of `parley changes list`: a line for the turn, and one for each file. */
export function turnText(turn: ListedTurn, style: Style): string {
  const { turn: number, endedAt, undone, files, more, omitted, unavailable } = turn;
  const time = toLocalTime(endedAt);
  const head = `Turn ${String(number)} · ${time} · ${summaryText(turn)}`;
  const rows = files.map((file) => [
    `  ${statusText(file)}`,
    `+${String(file.additions)}`,
    `−${String(file.deletions)}`,
    nameText(file),
    ...marksOf(file),
  ]);
  const rest = more === undefined ? [] : [`  and ${countText(more.files, 'file')} more`];
  return [
    undone ? style.dim(`${head} · undone`) : style.bold(head),
    ...toColumns(rows),
    ...rest,
    ...omittedTexts(omitted).map((text) => `  not covered, ${text}`),
    ...(unavailable === undefined ? [] : [`  ${unavailableText(unavailable)}`]),
    '',
  ].join('\n');
}

/** What a turn changed, counted: `3 files, +40 −12`. */
export function summaryText({
  files,
  more,
}: {
  readonly files: readonly Pick<ChangedFile, 'additions' | 'deletions'>[];
  readonly more?: MoreFiles;
}): string {
  const all = more === undefined ? files : [...files, more];
  const additions = all.reduce((sum, file) => sum + file.additions, 0);
  const deletions = all.reduce((sum, file) => sum + file.deletions, 0);
  const count = countText(files.length + (more?.files ?? 0), 'file');
  return `${count}, +${String(additions)} −${String(deletions)}`;
}

/** Why a turn, which is named before, can neither be shown by line nor undone. */
export function unavailableText({ machine }: Unavailable): string {
  return machine === undefined
    ? 'cannot be shown by line or undone any more: its checkpoints were removed'
    : `cannot be shown by line or undone here: it ran on the machine ${toPlainLine(machine, 256)}`;
}

/** A text for each reason why files are not covered, with some of them. */
export function omittedTexts(omitted: readonly OmittedFile[]): readonly string[] {
  const byReason = new Map<string, ChangedPath[]>();
  for (const { path, why } of omitted) byReason.set(why, [...(byReason.get(why) ?? []), path]);
  return [...byReason].map(([why, paths]) => {
    const named = paths.slice(0, 3).map(pathText).join(', ');
    const rest = paths.length > 3 ? ` and ${String(paths.length - 3)} more` : '';
    return `${reasonText(why)}: ${named}${rest}`;
  });
}

function reasonText(why: string): string {
  return reasons[why] ?? why;
}

const reasons: Readonly<Record<string, string>> = {
  'too-large': 'too large',
  special: 'not a regular file',
  unreadable: 'cannot be read',
  repository: 'a nested repository',
  late: 'changed before it was stored',
  ignored: 'ignored by git',
};

function statusText({ status }: ChangedFile): string {
  switch (status) {
    case 'added':
      return 'A';
    case 'modified':
      return 'M';
    case 'deleted':
      return 'D';
    case 'renamed':
      return 'R';
    case 'mode':
      return 'T';
  }
}

function nameText({ path, oldPath }: ChangedFile): string {
  return oldPath === undefined ? pathText(path) : `${pathText(oldPath)} → ${pathText(path)}`;
}

function marksOf(file: ChangedFile & { readonly undone?: true }): readonly string[] {
  const marks = [
    ...(file.status === 'mode' ? ['mode'] : []),
    ...(file.binary ? ['binary'] : []),
    ...(file.reported ? [] : ['unreported']),
    ...(file.undone === true ? ['undone'] : []),
  ];
  return marks.length === 0 ? [] : [marks.join(', ')];
}
