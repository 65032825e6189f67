import type { ChangedPath, RestoredFile } from '@parley/host';
import type { RestoreResult } from '@parley/host/hub';
import { toColumns } from '../output/columns.ts';
import { countText, pathText } from './path-text.ts';

/** How a restore is described. */
export interface RestoreTextOptions {
  readonly isDryRun: boolean;
  /** The command that takes an undo back. @default `parley changes redo` */
  readonly takenBackBy?: string;
}

/** What an undo or a redo did to each file, or would do. Nothing where there are conflicts. */
export function restoreLines(
  what: 'undo' | 'redo',
  { undone, files, conflicts, unreported }: RestoreResult,
  { isDryRun, takenBackBy = 'parley changes redo' }: RestoreTextOptions,
): readonly string[] {
  if (conflicts.length > 0) return [];
  const verb = { undo: isDryRun ? 'Would undo' : 'Undid', redo: isDryRun ? 'Would redo' : 'Redid' }[what];
  const of = undone === undefined ? 'the reverted hunks' : `turn ${String(undone)}`;
  return [
    `${verb} ${of}: ${files.length === 0 ? 'the files are as wanted already' : countText(files.length, 'file')}`,
    ...toColumns(files.map(({ path, action }) => [`  ${actionText(action)}`, pathText(path)])),
    ...(unreported.length === 0
      ? []
      : [
          `  left alone, as no tool call reported ${unreported.length === 1 ? 'it' : 'them'}: ${someOf(unreported)}`,
        ]),
    ...(isDryRun || what === 'redo' ? [] : [`${takenBackBy} takes this back.`]),
  ];
}

/** Which files conflict, and what can be done about it. */
export function conflictLines(
  what: string,
  conflicts: readonly { readonly path: ChangedPath }[],
): readonly string[] {
  return [
    `changes ${what}: no file was touched, as later edits conflict in ${countText(conflicts.length, 'file')}:`,
    ...conflicts.map(({ path }) => `  ${pathText(path)}`),
  ];
}

function actionText(action: RestoredFile['action']): string {
  return action === 'mode' ? 'mode restored' : action;
}

function someOf(paths: readonly ChangedPath[]): string {
  const named = paths.slice(0, 3).map(pathText).join(', ');
  return paths.length > 3 ? `${named} and ${String(paths.length - 3)} more` : named;
}
