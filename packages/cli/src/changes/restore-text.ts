import type { ChangedPath, RestoredFile } from '@parley/host';
import type { RestoreConflict, RestoreResult } from '@parley/host/hub';
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
  { undone, files, conflicts, unreported, skipped = [] }: RestoreResult,
  { isDryRun, takenBackBy = 'parley changes redo' }: RestoreTextOptions,
): readonly string[] {
  if (conflicts.length > 0) return [];
  const verb = { undo: isDryRun ? 'Would undo' : 'Undid', redo: isDryRun ? 'Would redo' : 'Redid' }[what];
  const of = undone === undefined ? 'the reverted hunks' : `turn ${String(undone)}`;
  return [
    `${verb} ${of}: ${files.length === 0 ? 'no file needs a change' : countText(files.length, 'file')}`,
    ...toColumns(files.map(({ path, action }) => [`  ${actionText(action)}`, pathText(path)])),
    ...(unreported.length === 0
      ? []
      : [
          `  left alone, as no tool call reported ${unreported.length === 1 ? 'it' : 'them'}: ${someOf(unreported)}`,
        ]),
    ...skipped.map(
      (turn) =>
        `  skipped turn ${String(turn.turn)}, as no tool call reported what it changed: ${someOf(turn.unreported)}`,
    ),
    ...(isDryRun || what === 'redo' ? [] : [`Undo this with ${takenBackBy}.`]),
  ];
}

/** Which files conflict, and what can be done about it. */
export function conflictLines(
  what: string,
  conflicts: readonly RestoreConflict[],
  { isForced = false }: { readonly isForced?: boolean } = {},
): readonly string[] {
  const large = conflicts.filter(({ why }) => why === 'too-large');
  const edited = conflicts.length - large.length;
  const reasons = [
    ...(edited === 0 ? [] : [`later edits conflict in ${countText(edited, 'file')}`]),
    ...(large.length === 0 ? [] : [`${countText(large.length, 'file')} could not be brought back by redo`]),
  ];
  return [
    `changes ${what}: no file was touched, as ${reasons.join(', and ')}:`,
    ...conflicts.map(({ path, why }) => `  ${pathText(path)}${why === undefined ? '' : ` (${tooLarge})`}`),
    ...(edited === 0 || large.length > 0 || what === 'revert' || isForced
      ? []
      : [`To discard those edits where they conflict, use "parley changes ${what}" with --force.`]),
  ];
}

const tooLarge = 'too large; move it out of the folder first, or name the other files';

function actionText(action: RestoredFile['action']): string {
  return action === 'mode' ? 'mode restored' : action;
}

function someOf(paths: readonly ChangedPath[]): string {
  const named = paths.slice(0, 3).map(pathText).join(', ');
  return paths.length > 3 ? `${named} and ${String(paths.length - 3)} more` : named;
}
