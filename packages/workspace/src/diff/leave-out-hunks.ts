import type { Contents } from '../restore/contents.ts';
import { diffWithBytes, type ChangedFile } from './diff-files.ts';
import { withoutHunks } from './hunk.ts';

/** Removes some hunks from changes. A file without remaining hunks is removed too. */
export async function leaveOutHunks<T extends ChangedFile>(
  changes: readonly T[],
  ids: ReadonlySet<string>,
  contents: Contents,
): Promise<readonly T[]> {
  const diffs = await diffWithBytes(changes, { read: contents.read });
  const left: T[] = [];
  for (const [index, change] of changes.entries()) {
    const hunks = diffs[index]?.hunks ?? [];
    const chosen = hunks.filter(({ hunk }) => ids.has(hunk.id));
    const { after } = change;
    if (chosen.length === 0) left.push(change);
    else if (chosen.length < hunks.length && after !== undefined) {
      const blob = contents.add(withoutHunks(await contents.read(after.blob), chosen));
      left.push({ ...change, after: { ...after, blob } });
    }
  }
  return left;
}
