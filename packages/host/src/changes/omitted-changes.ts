import type { Checkpoints } from '@parley/workspace/checkpoint';
import type { OmittedFile } from '../event/changes-event.ts';
import type { DiffParams } from '../hub/session-changes.ts';
import type { ChangesState } from '../state/changes-state.ts';
import { pathKey } from '../state/changes.ts';
import { mostOmittedFiles } from './changes-settings.ts';
import { isNamed, marksIn } from './choose-undo.ts';
import { isStored } from './unavailable-turns.ts';

/**
 * Files that the turns, or one of them, changed, or made, and whose contents no checkpoint has, such as large ones. A file that was not covered
 * before either is not among them: nothing says whether a turn changed it.
 */
export async function omittedChanges(
  { turn: only, paths }: Pick<DiffParams, 'turn' | 'paths'>,
  { turns }: Pick<ChangesState, 'turns'>,
  checkpoints: Checkpoints,
): Promise<readonly OmittedFile[]> {
  const found = new Map<string, OmittedFile>();
  const stored = await checkpoints.stored();
  for (const turn of turns) {
    if (!isStored(turn, stored) || (only !== undefined && only !== turn.turn)) continue;
    const markOf = marksIn(turn);
    const changes = await checkpoints.compare(turn.before, turn.after);
    const [before, after] = await Promise.all(
      [turn.before, turn.after].map(async (id) => byKey(await checkpoints.omitted(id))),
    );
    for (const key of before?.keys() ?? []) {
      const isGone = after?.has(key) === false && !changes.some(({ path }) => pathKey(path) === key);
      if (isGone) found.delete(key);
    }
    const undone = new Set(
      changes.filter((change) => markOf(change).isUndone).map(({ path }) => pathKey(path)),
    );
    for (const [key, file] of after ?? []) {
      if (before?.has(key) !== true && !undone.has(key)) found.set(key, file);
    }
  }
  return [...found.values()]
    .filter((file) => paths === undefined || isNamed(file, paths))
    .slice(0, mostOmittedFiles);
}

function byKey(files: readonly OmittedFile[]): ReadonlyMap<string, OmittedFile> {
  return new Map(files.map((file) => [pathKey(file.path), file]));
}
