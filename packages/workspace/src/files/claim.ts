import { type Stats, constants } from 'node:fs';
import { mkdir, rmdir, unlink } from 'node:fs/promises';
import { type WorkspaceError, systemCode } from '../error.ts';
import type { Anchor } from './confinement/anchor.ts';
import { lstatIfThere } from './confinement/regular-file.ts';
import type { FileRequest } from './confinement/request.ts';

/**
 * Reserves a free name with an empty placeholder, of the kind that a rename of `moved` replaces, so that no other
 * file can be created between check and rename. Returns a function that removes the placeholder.
 */
export async function claimName(
  directory: Anchor,
  name: string,
  moved: Stats,
  request: FileRequest,
): Promise<() => Promise<void>> {
  const at = directory.at(name);
  // Windows renames no directory over another, and needs no placeholder to find the name taken.
  if (process.platform === 'win32') {
    if ((await lstatIfThere(at)) !== undefined) throw taken(request);
    return async () => {};
  }
  try {
    await (moved.isDirectory() ? mkdir(at) : createFile(directory, name));
  } catch (error) {
    throw systemCode(error) === 'EEXIST' ? taken(request) : error;
  }
  return () => (moved.isDirectory() ? rmdir(at) : unlink(at));
}

async function createFile(directory: Anchor, name: string): Promise<void> {
  const file = await directory.open(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
  await file.close();
}

function taken(request: FileRequest): WorkspaceError {
  return request.refuse('exists', 'exists already');
}
