import type { Checkpoints, FileChange } from '@parley/workspace/checkpoint';
import type { ChangedPath } from '../event/changes-event.ts';
import type { ChangesState } from '../state/changes-state.ts';
import { pathKey } from '../state/changes.ts';
import { isNamed } from './choose-undo.ts';

/** What is between two checkpoints. */
interface Difference {
  readonly before: string;
  readonly after: string;
  readonly changes: readonly FileChange[];
}

/** The folders that only the later checkpoint has, also those without files. @param paths Those in these folders. @default all */
export async function madeFolders(
  { before, after, changes }: Difference,
  checkpoints: Checkpoints,
  paths?: readonly ChangedPath[],
): Promise<readonly ChangedPath[]> {
  // Other ignore rules show folders that were there before.
  if (changes.some(({ path }) => typeof path === 'string' && /(?:^|\/)\.gitignore$/u.test(path))) return [];
  const known = new Set((await checkpoints.folders(before)).map(({ path }) => pathKey(path)));
  const now = await checkpoints.folders(after);
  const made = now.filter(({ path }) => !known.has(pathKey(path)));
  return made.filter((each) => paths === undefined || isNamed(each, paths)).map(({ path }) => path);
}

/** Returns the permission bits of the folders before the last turn that contained them, for restored files. */
export async function foldersBefore(
  { turns }: ChangesState,
  checkpoints: Checkpoints,
): Promise<(path: ChangedPath) => number | undefined> {
  const bits = new Map<string, number>();
  const stored = await checkpoints.stored();
  for (const { before } of turns.filter((turn) => stored.has(turn.before))) {
    for (const { path, permissions } of await checkpoints.folders(before)) {
      bits.set(pathKey(path), permissions);
    }
  }
  return (path) => bits.get(pathKey(path));
}
