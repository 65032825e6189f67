import { Buffer } from 'node:buffer';
import {
  type BigIntStats,
  closeSync,
  constants,
  fsync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { type BytePath, toWorkspacePath } from '../checkpoint/workspace-path.ts';
import { refusal } from '../error.ts';
import { type Reach, openRoots } from '../files/confinement/roots.ts';
import { foldersAbove, pathText } from './byte-path.ts';

/** A workspace that is restored. */
export interface Workspace {
  /** Its real path. */
  readonly path: string;
  readonly reach: Reach;
}

/**
 * A folder of a workspace, held open; its names are reached without following a link. What is only looked up blocks: handing it to
 * another thread takes longer than doing it.
 */
export interface OpenFolder extends Disposable {
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
export function openFolder(workspace: Workspace, path: BytePath): OpenFolder | NoFolder {
  const bytes = bytesOf(workspace, path);
  if (workspace.reach === 'path') {
    return whyNoFolder(workspace, path) ?? folderAt(bytes, undefined);
  }
  let descriptor;
  try {
    descriptor = openSync(bytes, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const reason = whyNoFolder(workspace, path);
    if (reason !== undefined) return reason;
    throw error;
  }
  const reach = `/proc/self/fd/${String(descriptor)}`;
  try {
    const real = readlinkSync(reach, { encoding: 'buffer' });
    if (Buffer.compare(real, bytes) === 0) return folderAt(Buffer.from(reach), descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  const reason = whyNoFolder(workspace, path);
  if (reason !== undefined) return reason;
  throw refusal('restore', pathText(toWorkspacePath(path)), 'changed', 'its folder was moved or replaced');
}

/** Opens a folder that has to be there. */
export function openExisting(workspace: Workspace, path: BytePath): OpenFolder {
  const folder = openFolder(workspace, path);
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
export function statusOf(at: Buffer): BigIntStats | undefined {
  return lstatSync(at, { bigint: true, throwIfNoEntry: false });
}

/** Whether a folder lists exactly this name: file systems that ignore case also find others. */
export function listsName(folder: OpenFolder, name: string): boolean {
  const wanted = Buffer.from(name, 'latin1');
  const names = readdirSync(folder.at('.'), { encoding: 'buffer' });
  return names.some((each) => Buffer.compare(each, wanted) === 0);
}

function bytesOf(workspace: Workspace, path: BytePath): Buffer {
  const root = Buffer.from(workspace.path);
  return path === '' ? root : Buffer.concat([root, Buffer.from('/'), Buffer.from(path, 'latin1')]);
}

/** @param descriptor Undefined where the folder is reached by its path. */
function folderAt(bytes: Buffer, descriptor: number | undefined): OpenFolder {
  const prefix = Buffer.concat([bytes, Buffer.from('/')]);
  return {
    kind: 'folder',
    at: (name) => Buffer.concat([prefix, Buffer.from(name, 'latin1')]),
    sync: async () => {
      if (descriptor !== undefined) await synced(descriptor);
    },
    [Symbol.dispose]: () => {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

const synced = promisify(fsync);

function whyNoFolder(workspace: Workspace, path: BytePath): NoFolder | undefined {
  const onTheWay = path === '' ? [''] : ['', ...foldersAbove(path).toReversed(), path];
  for (const folder of onTheWay) {
    const status = statusOf(bytesOf(workspace, folder));
    if (status === undefined) return { kind: 'absent' };
    if (!status.isDirectory()) return { kind: 'blocked', by: folder };
  }
  return undefined;
}
