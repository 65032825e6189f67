import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { refusal, toWorkspaceError, WorkspaceError } from '../error.ts';
import { hasStore } from './store/store.ts';

/** The real path of a workspace; where it was removed and has checkpoints, its path. */
export async function findWorkspace(folder: string, stateDir: string): Promise<string> {
  try {
    return await findFolder(folder);
  } catch (error) {
    const former = path.resolve(folder);
    const isRemoved = error instanceof WorkspaceError && error.code === 'not-found';
    if (isRemoved && (await hasStore(former, stateDir))) return former;
    throw error;
  }
}

/** The real path of a folder. @throws {WorkspaceError} `not-absolute`, `not-found`, `not-a-directory` */
export async function findFolder(folder: string): Promise<string> {
  const action = 'take checkpoints of';
  if (!path.isAbsolute(folder)) throw refusal(action, folder, 'not-absolute', 'not an absolute path');
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw toWorkspaceError(error, action, folder);
  }
  throw refusal(action, folder, 'not-a-directory', 'is not a directory');
}
