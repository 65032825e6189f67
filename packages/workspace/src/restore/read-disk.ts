import { Buffer } from 'node:buffer';
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import type { FileChange } from '../checkpoint/checkpoint.ts';
import { type BytePath, toWorkspacePath } from '../checkpoint/workspace-path.ts';
import { refusal, toWorkspaceError } from '../error.ts';
import { nameOf, parentOf, pathText, toCheckedPath } from './byte-path.ts';
import { eachAtOnce, pathsAtOnce } from './each-at-once.ts';
import { type Found, lookAt } from './look.ts';
import { type Workspace, openExisting, openFolder, openWorkspace } from './open-folder.ts';

/** The current state of the paths of some changes. */
export interface DiskState {
  readonly found: ReadonlyMap<BytePath, Found>;
  /** The members of each path that is now a folder and was a file. */
  readonly members: ReadonlyMap<BytePath, readonly FolderMember[]>;
  /** Paths that differ only in case, or in Unicode normalization. */
  readonly twins: ReadonlySet<BytePath>;
  /** Reads a file of the state again; undefined if it is larger than the limit. */
  read(path: BytePath, limitBytes: number): Promise<Uint8Array | undefined>;
}

/** A path below a folder. */
export interface FolderMember {
  readonly path: BytePath;
  readonly isFolder: boolean;
}

/** The paths of a change, and their state before it. */
export type ChangedPaths = Pick<
  FileChange,
  'path' | 'oldPath' | 'before' | 'after' | 'wasUncovered' | 'isTooLarge'
>;

/** Reads the state of all paths of some changes. */
export async function readDisk({
  workspace: folder,
  changes,
}: {
  readonly workspace: string;
  readonly changes: readonly ChangedPaths[];
}): Promise<DiskState> {
  const workspace = await openWorkspace(folder);
  const paths = changes.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
  const known = new Set(paths.map(toCheckedPath));
  const twins = twinsAmong(known);
  const found = new Map<BytePath, Found>();
  const members = new Map<BytePath, readonly FolderMember[]>();
  await eachAtOnce(known, pathsAtOnce, async (path) => {
    try {
      const now = await lookAt(workspace, path, twins.has(path));
      found.set(path, now);
      if (now.kind === 'folder') members.set(path, await membersOf(workspace, path, known));
    } catch (error) {
      throw toWorkspaceError(error, 'look at', pathText(toWorkspacePath(path)));
    }
  });
  return { found, members, twins, read: (path, limitBytes) => readFile(workspace, path, limitBytes) };
}

/** Paths that a disk which ignores case, or the spelling of Unicode, takes for the same. */
export function twinsAmong(paths: Iterable<BytePath>): ReadonlySet<BytePath> {
  const twins = new Set<BytePath>();
  const first = new Map<string, BytePath>();
  for (const path of paths) {
    const folded = Buffer.from(path, 'latin1').toString().normalize('NFC').toLowerCase();
    const other = first.get(folded);
    if (other === undefined) first.set(folded, path);
    else twins.add(path).add(other);
  }
  return twins;
}

/** All entries below a folder, up to the first unknown file, which prevents removing the folder. */
async function membersOf(
  workspace: Workspace,
  path: BytePath,
  known: ReadonlySet<BytePath>,
): Promise<readonly FolderMember[]> {
  const members: FolderMember[] = [];
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const opened = openFolder(workspace, folder);
    using held = opened.kind === 'folder' ? opened : undefined;
    const names =
      held === undefined ? [] : await readdir(held.at('.'), { withFileTypes: true, encoding: 'buffer' });
    for (const entry of names) {
      const member = `${folder}/${entry.name.toString('latin1')}`;
      const isFolder = entry.isDirectory();
      members.push({ path: member, isFolder });
      if (isFolder) folders.push(member);
      else if (!known.has(member)) return members;
    }
  }
  return members;
}

async function readFile(
  workspace: Workspace,
  path: BytePath,
  limitBytes: number,
): Promise<Uint8Array | undefined> {
  using folder = openExisting(workspace, parentOf(path));
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  await using file = await open(folder.at(nameOf(path)), flags);
  const { size } = await file.stat();
  if (size > limitBytes) return undefined;
  const content = await file.readFile();
  if (content.length <= limitBytes) return content;
  throw refusal('read', pathText(toWorkspacePath(path)), 'changed', 'it is being written to');
}
