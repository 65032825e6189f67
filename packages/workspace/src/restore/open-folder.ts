import { Buffer } from 'node:buffer';
import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { type BytePath, toWorkspacePath } from '../checkpoint/workspace-path.ts';
import { refusal, systemCode } from '../error.ts';
import { type Reach, openRoots } from '../files/confinement/roots.ts';
import { foldersAbove, pathText } from './byte-path.ts';

/** A workspace that is restored. */
export interface Workspace {
  /** Its real path. */
  readonly path: string;
  readonly reach: Reach;
}

/** A folder of a workspace, held open; its names are reached without following a link. */
export interface OpenFolder extends AsyncDisposable {
  readonly kind: 'folder';
  /** The path by which the system reaches a name in it. */
  at(name: string): Buffer;
  /** Brings its names to the disk. */
  sync(): Promise<void>;
}

/** Why a path of a workspace leads to no folder. */
export type NoFolder =
  | { readonly kind: 'absent' }
  /** A name on the way to it is a file or a link. */
  | { readonly kind: 'blocked'; readonly by: BytePath };

/** @throws {WorkspaceError} It is no folder. */
export async function openWorkspace(folder: string): Promise<Workspace> {
  const { cwd, reach } = await openRoots(folder, []);
  return { path: cwd, reach };
}

/** Opens a folder of a workspace; a link on the way to it is not followed. */
export async function openFolder(workspace: Workspace, path: BytePath): Promise<OpenFolder | NoFolder> {
  const bytes = bytesOf(workspace, path);
  if (workspace.reach === 'path') {
    return (
      (await whyNoFolder(workspace, path)) ??
      folderAt(
        bytes,
        async () => undefined,
        async () => undefined,
      )
    );
  }
  let handle;
  try {
    handle = await open(bytes, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const reason = await whyNoFolder(workspace, path);
    if (reason !== undefined) return reason;
    throw error;
  }
  const reach = `/proc/self/fd/${String(handle.fd)}`;
  try {
    const real = await readlink(reach, { encoding: 'buffer' });
    if (Buffer.compare(real, bytes) === 0) {
      const opened = handle;
      return folderAt(
        Buffer.from(reach),
        () => opened.sync(),
        () => opened.close(),
      );
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  const reason = await whyNoFolder(workspace, path);
  if (reason !== undefined) return reason;
  throw refusal('restore', pathText(toWorkspacePath(path)), 'changed', 'its folder was moved or replaced');
}

/** Opens a folder that has to be there. */
export async function openExisting(workspace: Workspace, path: BytePath): Promise<OpenFolder> {
  const folder = await openFolder(workspace, path);
  switch (folder.kind) {
    case 'folder':
      return folder;
    case 'absent':
      throw refusal('restore', pathText(toWorkspacePath(path)), 'changed', 'the folder was removed');
    case 'blocked': {
      const reason = 'it is a file or a link now, where a folder was';
      throw refusal('restore', pathText(toWorkspacePath(folder.by)), 'changed', reason);
    }
  }
}

/** The status of a name, without following links; undefined if it does not exist. */
export async function statusOf(at: Buffer): Promise<BigIntStats | undefined> {
  try {
    return await lstat(at, { bigint: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a folder lists exactly this name: file systems that ignore case also find others. */
export async function listsName(folder: OpenFolder, name: string): Promise<boolean> {
  const wanted = Buffer.from(name, 'latin1');
  const names = await readdir(folder.at('.'), { encoding: 'buffer' });
  return names.some((each) => Buffer.compare(each, wanted) === 0);
}

function bytesOf(workspace: Workspace, path: BytePath): Buffer {
  const root = Buffer.from(workspace.path);
  return path === '' ? root : Buffer.concat([root, Buffer.from('/'), Buffer.from(path, 'latin1')]);
}

function folderAt(bytes: Buffer, sync: () => Promise<void>, close: () => Promise<void>): OpenFolder {
  const prefix = Buffer.concat([bytes, Buffer.from('/')]);
  return {
    kind: 'folder',
    at: (name) => Buffer.concat([prefix, Buffer.from(name, 'latin1')]),
    sync,
    [Symbol.asyncDispose]: close,
  };
}

async function whyNoFolder(workspace: Workspace, path: BytePath): Promise<NoFolder | undefined> {
  const onTheWay = path === '' ? [''] : ['', ...foldersAbove(path).toReversed(), path];
  for (const folder of onTheWay) {
    const status = await statusOf(bytesOf(workspace, folder));
    if (status === undefined) return { kind: 'absent' };
    if (!status.isDirectory()) return { kind: 'blocked', by: folder };
  }
  return undefined;
}
