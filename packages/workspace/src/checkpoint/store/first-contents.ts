import type { FoundFile } from '../walk/inspect.ts';
import type { BytePath } from '../workspace-path.ts';
import { adoptObjects, type AdoptRequest } from './adopt-objects.ts';
import { importFiles, type ImportRequest } from './import-files.ts';
import type { RootIndex } from './root-index.ts';

/** The store and the folder of many files. */
export type ManyFilesRequest = AdoptRequest & Omit<ImportRequest, 'names'>;

/** Files that {@link storeMany} did not add to the index. */
export interface Remaining {
  /** Files to add. */
  readonly names: readonly BytePath[];
  /** Files that changed after the moment of the checkpoint and before they were read. */
  readonly late: readonly BytePath[];
}

/**
 * Stores the contents of many files as packs: copies those that the user's repository has, and reads the others. Adds them to the index if that is
 * empty.
 */
export async function storeMany(
  request: ManyFilesRequest,
  present: ReadonlyMap<BytePath, FoundFile>,
  index: RootIndex,
): Promise<Remaining> {
  const isAdopted = index.isEmpty && present.size >= fewestToAdopt;
  const adopted = isAdopted ? await adoptObjects(request, present) : [];
  const known = new Set(adopted.map(({ name }) => name));
  const names = [...present.keys()].filter((name) => !known.has(name));
  if (names.length < fewestForPack) {
    await index.populate(adopted);
    return { names, late: [] };
  }
  const { entries, unread, late } = await importFiles(request.git, {
    ...request,
    names: latestFirst(names, present),
  });
  if (index.isEmpty) {
    await index.populate([...adopted, ...entries]);
    return { names: unread, late };
  }
  return { names: [...entries.map(({ name }) => name), ...unread], late };
}

/** Recently edited files are the ones an agent is most likely to change before they are read. */
function latestFirst(
  names: readonly BytePath[],
  present: ReadonlyMap<BytePath, FoundFile>,
): readonly BytePath[] {
  const times = new Map(names.map((name) => [name, Number(present.get(name)?.mtimeNs ?? 0n)]));
  return names.toSorted((left, right) => (times.get(right) ?? 0) - (times.get(left) ?? 0));
}

/** Files from which their contents are stored as one pack. */
export const fewestForPack = 200;

/** Files from which asking the user's repository takes less time than reading them. */
const fewestToAdopt = 1000;
