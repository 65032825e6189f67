import { chmod, mkdir, rmdir } from 'node:fs/promises';
import type { BytePath } from '../../checkpoint/workspace-path.ts';
import { systemCode } from '../../error.ts';
import { nameOf, parentOf } from '../byte-path.ts';
import { type OpenFolder, type Workspace, openExisting, openFolder, statusOf } from '../open-folder.ts';
import type { RecordedFolder } from './restore-record.ts';

/** Creates a folder with its rights, unless it is there. */
export async function makeFolder(folder: RecordedFolder, workspace: Workspace): Promise<void> {
  using parent = openExisting(workspace, parentOf(folder.path));
  await makeIn(parent, folder);
}

/** Creates a folder with its rights, unless it is there, or a file has its name or that of a folder above it. */
export async function makeIfFree(folder: RecordedFolder, workspace: Workspace): Promise<void> {
  const parent = openFolder(workspace, parentOf(folder.path));
  if (parent.kind !== 'folder') return;
  using held = parent;
  await makeIn(held, folder);
}

/** Removes an empty folder, unless it no longer exists or a file has its name. */
export async function removeFolder(path: BytePath, workspace: Workspace): Promise<void> {
  const parent = openFolder(workspace, parentOf(path));
  if (parent.kind !== 'folder') return;
  using held = parent;
  const at = held.at(nameOf(path));
  const status = statusOf(at);
  if (status?.isDirectory() === true) await rmdir(at);
}

/** Removes a folder, unless it is in use: not empty, or a mount point. */
export async function removeIfEmpty(path: BytePath, workspace: Workspace): Promise<void> {
  try {
    await removeFolder(path, workspace);
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (!['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EACCES', 'EPERM', 'ENOENT'].includes(code)) throw error;
  }
}

async function makeIn(parent: OpenFolder, { path, permissions }: RecordedFolder): Promise<void> {
  const at = parent.at(nameOf(path));
  try {
    await mkdir(at, 0o700);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    return;
  }
  await chmod(at, permissions);
}
