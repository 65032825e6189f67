import { Buffer } from 'node:buffer';
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileEntry } from '../checkpoint/checkpoint.ts';
import type { BytePath } from '../checkpoint/workspace-path.ts';
import { fromRecords, runGit } from '../git/run-git.ts';
import { foldersAbove, parentOf } from '../restore/byte-path.ts';
import type { ReadBlob } from '../restore/contents.ts';
import { isLink } from '../restore/decide.ts';
import type { Scratch } from '../worktree/scratch.ts';
import { writeTree } from '../worktree/trees.ts';

/** One side of the changes: the entry of each path; undefined if it does not exist. */
export type Side = ReadonlyMap<BytePath, FileEntry | undefined>;

/**
 * The tree of `head` with these files as one side of a change has them, as `git add` would store them: filters, line ends and
 * modes as the repository's settings and attributes say. No file of the working tree is read but its attributes.
 */
export async function sideTree(
  side: Side,
  name: string,
  { head, read, scratch }: { readonly head: string; readonly read: ReadBlob; readonly scratch: Scratch },
): Promise<string> {
  const files = scratch.file(`${name}-files`);
  const git = scratch.git(name);
  await mkdir(files);
  await copyAttributes([...side.keys()], scratch.tree.root, files);
  for (const [file, entry] of side) {
    const at = systemPath(files, file);
    await mkdir(systemPath(files, parentOf(file)), { recursive: true });
    if (entry === undefined) continue;
    const content = await read(entry.blob);
    if (isLink(entry)) await symlink(Buffer.from(content), at);
    else await writeFile(at, content, { mode: entry.mode === '100755' ? 0o777 : 0o666 });
  }
  const inFiles = { ...git, cwd: files, env: { ...git.env, GIT_WORK_TREE: files } };
  await runGit(['read-tree', head], inFiles);
  const [there, gone] = [
    [...side].filter(([, entry]) => entry !== undefined),
    [...side].filter(([, entry]) => entry === undefined),
  ];
  const remove = ['update-index', '-z', '--force-remove', '--stdin'];
  await runGit(remove, { ...inFiles, input: fromRecords(gone.map(([file]) => file)) });
  const add = ['-c', 'core.safecrlf=false', 'update-index', '-z', '--add', '--replace', '--stdin'];
  await runGit(add, { ...inFiles, input: fromRecords(there.map(([file]) => file)) });
  return writeTree(git);
}

/** The attributes that act on these paths in the working tree; a link is none. */
async function copyAttributes(paths: readonly BytePath[], root: string, to: string): Promise<void> {
  for (const folder of new Set(paths.flatMap((file) => [...foldersAbove(file), '']))) {
    const name = folder === '' ? '.gitattributes' : `${folder}/.gitattributes`;
    const from = systemPath(root, name);
    if (paths.includes(name)) continue;
    const isFile = await lstat(from).then(
      (status) => status.isFile(),
      () => false,
    );
    if (!isFile) continue;
    await mkdir(systemPath(to, folder), { recursive: true });
    await copyFile(from, systemPath(to, name), constants.COPYFILE_EXCL);
  }
}

function systemPath(folder: string, file: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}${path.sep}`), Buffer.from(file, 'latin1')]);
}
