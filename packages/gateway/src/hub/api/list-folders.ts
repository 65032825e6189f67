import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../acp/opening-rules.ts';

/** The folders in a folder that sessions may use. */
export interface FolderListing {
  readonly path: string;
  /** Absent where sessions may not use it. */
  readonly parent?: string;
  readonly folders: readonly { readonly name: string; readonly path: string }[];
}

/** Listed folders. */
const mostFolders = 1000;

/** Undefined where it is no folder, or not ours to see. */
async function entriesIn(folder: string): Promise<readonly Dirent[] | undefined> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** Lists the folders in a folder; undefined where it is none that sessions may use. */
export async function listFolders(
  asked: string,
  workspaces: readonly string[],
): Promise<FolderListing | undefined> {
  if (!(await isInside(asked, workspaces))) return undefined;
  const folder = await realpath(asked);
  const entries = await entriesIn(folder);
  if (entries === undefined) return undefined;
  const parent = path.dirname(folder);
  return {
    path: folder,
    ...((await isInside(parent, workspaces)) && parent !== folder && { parent }),
    folders: entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => ({ name, path: path.join(folder, name) }))
      .toSorted((left, right) => left.name.localeCompare(right.name))
      .slice(0, mostFolders),
  };
}
