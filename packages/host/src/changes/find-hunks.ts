import { diffFiles, withContents, type Contents, type FileChange } from '@parley/workspace/checkpoint';
import type { ChangedPath } from '../event/changes-event.ts';
import { HostError } from '../host-error.ts';
import type { ChangesState } from '../state/changes-state.ts';
import type { Cover } from './open-cover.ts';
import { changesOf, sessionDiff, type SessionChange } from './session-diff.ts';
import { isStored } from './unavailable-turns.ts';

/** Hunks, and the diff that they are of. */
export interface FoundHunks {
  readonly files: readonly { readonly path: ChangedPath }[];
  readonly changes: readonly (SessionChange | FileChange)[];
  readonly contents: Contents;
}

/**
 * Finds hunks by their ids: in the diff of the session, else in that of a single turn, latest first.
 *
 * @throws {HostError} `nothing-to-undo`: no diff contains all of them.
 */
export async function findHunks(
  ids: readonly string[],
  { checkpoints }: Pick<Cover, 'checkpoints'>,
  state: ChangesState,
): Promise<FoundHunks> {
  const contents = withContents((blob) => checkpoints.read(blob));
  const stored = await checkpoints.stored();
  const turns = state.turns.filter((turn) => isStored(turn, stored));
  const sources = [
    () => sessionDiff(state, checkpoints, contents),
    ...turns.toReversed().map((turn) => () => changesOf(turn, checkpoints)),
  ];
  const nowhere = new Set(ids);
  for (const source of sources) {
    const changes = await source();
    const wanted = new Set(ids);
    const files = (await diffFiles(changes, contents)).filter(
      ({ hunks }) => hunks.filter(({ id }) => wanted.delete(id)).length > 0,
    );
    if (wanted.size === 0 && ids.length > 0) {
      return { files: files.map(({ path }) => ({ path })), changes, contents };
    }
    for (const id of nowhere) if (!wanted.has(id)) nowhere.delete(id);
  }
  const [unknown] = nowhere;
  throw new HostError(
    'nothing-to-undo',
    unknown === undefined && ids.length > 0
      ? 'these hunks are of different diffs; name those of one turn at a time'
      : `no hunk has the id ${JSON.stringify(unknown ?? '')}; list them with diff --json`,
  );
}
