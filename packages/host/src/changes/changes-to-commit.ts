import type { Checkpoints, Contents } from '@parley/workspace/checkpoint';
import type { ChangedPath } from '../event/changes-event.ts';
import type { ChangesState } from '../state/changes-state.ts';
import { byPath, foldSession, isSameEntry, isUnchanged, type SessionChange } from './session-diff.ts';

/** What a commit of a session contains, and what it leaves out. */
export interface ChangesToCommit {
  readonly changes: readonly SessionChange[];
  /** Files of which reported changes cannot be separated from edits by others. */
  readonly conflicts: readonly ChangedPath[];
  /** Files with changes that no tool call reported; their reported changes are among the others. */
  readonly unreported: readonly ChangedPath[];
}

/** The changes of a session that its tool calls reported, without edits by others of the same files. */
export async function changesToCommit(
  state: ChangesState,
  checkpoints: Checkpoints,
  contents: Contents,
): Promise<ChangesToCommit> {
  const source = { checkpoints, contents };
  const reported = await foldSession(state, source, { reportedOnly: true });
  const all = await foldSession(state, source);
  const changes = [...reported.values()].filter((file) => !isUnchanged(file)).toSorted(byPath);
  const unreported = [...new Map([...reported, ...all])]
    .filter(([key, { before }]) => {
      const own = reported.has(key) ? reported.get(key)?.after : before;
      return !isSameEntry(own, all.get(key)?.after);
    })
    .map(([, file]) => file)
    .toSorted(byPath)
    .map(({ path }) => path);
  return {
    changes,
    conflicts: changes.filter(({ isMixed }) => isMixed === true).map(({ path }) => path),
    unreported,
  };
}
