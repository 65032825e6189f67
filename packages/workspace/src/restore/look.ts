import type { Buffer } from 'node:buffer';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { type BytePath, toWorkspacePath } from '../checkpoint/workspace-path.ts';
import { refusal } from '../error.ts';
import { blobId, blobIdOfFile } from './blob-id.ts';
import { nameOf, parentOf, pathText } from './byte-path.ts';
import { type OpenFolder, type Workspace, listsName, openFolder, statusOf } from './open-folder.ts';

/** The current state of a path in a workspace. */
export type Found =
  | { readonly kind: 'absent' }
  | FoundFile
  /** `blob` is git's id of the path it links to. */
  | { readonly kind: 'link'; readonly blob: string; readonly target: Buffer }
  | { readonly kind: 'folder' }
  /** A socket, a device or a FIFO. */
  | { readonly kind: 'special' }
  /** A name on the way to it is a file or a link. */
  | { readonly kind: 'blocked'; readonly by: BytePath };

/** A regular file in the state that was found. */
export interface FoundFile {
  readonly kind: 'file';
  readonly permissions: number;
  readonly size: number;
  readonly blob: string;
  /** Another one as soon as the file is written to or replaced. */
  readonly mark: string;
}

/** Looks at a path: by handle, through no link. `isExact` finds only this very name on a disk that ignores case. */
export async function lookAt(workspace: Workspace, path: BytePath, isExact: boolean): Promise<Found> {
  const folder = openFolder(workspace, parentOf(path));
  if (folder.kind !== 'folder') return folder;
  using held = folder;
  const name = nameOf(path);
  if (isExact && !listsName(held, name)) return { kind: 'absent' };
  return await lookIn(held, name, path);
}

/** Looks at a name of an open folder. */
export async function lookIn(folder: OpenFolder, name: string, path: BytePath): Promise<Found> {
  const at = folder.at(name);
  const status = statusOf(at);
  if (status === undefined) return { kind: 'absent' };
  if (status.isDirectory()) return { kind: 'folder' };
  if (status.isSymbolicLink()) {
    const target = readlinkSync(at, { encoding: 'buffer' });
    return { kind: 'link', target, blob: blobId(target) };
  }
  if (!status.isFile()) return { kind: 'special' };
  return readSmall(at) ?? (await readFound(at, path));
}

/** Changes when the file is written to or replaced, not when it is linked or its rights change. */
export function markOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs].join(':');
}

/** Contents up to this size are read and written at once: another thread would take longer to begin. */
export const smallBytes: number = 64 * 1024;

/** How often a file that changes while it is read is read again. */
const mostReads = 5;

const toRead = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Undefined where a file is larger, or changes while it is read. */
function readSmall(at: Buffer): FoundFile | undefined {
  const file = openSync(at, toRead);
  try {
    const before = fstatSync(file, { bigint: true });
    if (before.size > smallBytes) return undefined;
    const content = readFileSync(file);
    const after = fstatSync(file, { bigint: true });
    const isSame = BigInt(content.length) === before.size && markOf(before) === markOf(after);
    return isSame ? toFound(after, blobId(content)) : undefined;
  } finally {
    closeSync(file);
  }
}

async function readFound(at: Buffer, path: BytePath): Promise<FoundFile> {
  await using file = await open(at, toRead);
  for (let count = 0; count < mostReads; count++) {
    const before = await file.stat({ bigint: true });
    const blob = await blobIdOfFile(file, before.size);
    const after = await file.stat({ bigint: true });
    if (blob !== undefined && markOf(before) === markOf(after)) {
      return toFound(after, blob);
    }
  }
  throw refusal('restore', pathText(toWorkspacePath(path)), 'changed', 'it is being written to');
}

function toFound(status: BigIntStats, blob: string): FoundFile {
  return {
    kind: 'file',
    permissions: Number(status.mode & 0o7777n),
    size: Number(status.size),
    blob,
    mark: markOf(status),
  };
}
