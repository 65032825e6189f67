import { Buffer } from 'node:buffer';
import { constants, lstatSync, renameSync } from 'node:fs';
import { copyFile, link, open, rename, symlink, unlink } from 'node:fs/promises';
import { type BytePath, toWorkspacePath } from '../../checkpoint/workspace-path.ts';
import { type WorkspaceError, refusal, systemCode } from '../../error.ts';
import { nameOf, parentOf, pathText } from '../byte-path.ts';
import { lookIn, markOf } from '../look.ts';
import { type OpenFolder, type Workspace, openExisting, statusOf } from '../open-folder.ts';
import { type RecordedStep, readContent } from './restore-record.ts';
import { type Restore, isSame } from './step-state.ts';

/** Writes the new content of a step beside its path, with its rights, to the disk. */
export async function stage(step: RecordedStep, restore: Restore): Promise<void> {
  if (step.to.kind !== 'file') return;
  const content = await readContent(restore.folder, step);
  await using beside = await openExisting(restore.workspace, parentOf(step.beside));
  const at = beside.at(`${nameOf(step.beside)}.new`);
  await unlinkIfThere(at);
  const owner = step.from.kind === 'file' ? await ownerOf(step.path, restore.workspace) : undefined;
  await using file = await open(at, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  await file.writeFile(content);
  if (owner !== undefined) {
    try {
      await file.chown(owner.uid, owner.gid);
    } catch (error) {
      // Only a privileged process gives files away: then the file becomes ours, as with any editor that renames.
      if (systemCode(error) !== 'EPERM') throw error;
    }
  }
  await file.chmod(step.to.permissions);
  await file.sync();
}

/** Takes a file or link out of the way; it stays beside until the end. */
export async function remove(step: RecordedStep, restore: Restore): Promise<void> {
  await using parent = await openExisting(restore.workspace, parentOf(step.path));
  await using beside = await openExisting(restore.workspace, parentOf(step.beside));
  const at = parent.at(nameOf(step.path));
  const old = beside.at(`${nameOf(step.beside)}.old`);
  await rename(at, old);
  if (await isOld(beside, step, restore)) return;
  // It was replaced after the check: it goes back, unless its name is taken again.
  if ((await statusOf(at)) === undefined) await rename(old, at);
  throw changed(step.path, 'it was replaced while it was restored');
}

/** Creates a file or link; never replaces an existing one. */
export async function create(step: RecordedStep, restore: Restore): Promise<void> {
  await using parent = await openExisting(restore.workspace, parentOf(step.path));
  const at = parent.at(nameOf(step.path));
  try {
    if (step.to.kind === 'link') return await symlink(Buffer.from(step.to.target, 'latin1'), at);
    await using beside = await openExisting(restore.workspace, parentOf(step.beside));
    const staged = beside.at(`${nameOf(step.beside)}.new`);
    try {
      await link(staged, at);
      await unlink(staged);
    } catch (error) {
      if (!hasNoLinks(error)) throw error;
      if ((await statusOf(at)) !== undefined) {
        throw changed(step.path, 'it was created while it was restored');
      }
      renameSync(staged, at);
    }
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    throw changed(step.path, 'it was created while it was restored');
  }
}

/**
 * Replaces a file or link atomically, or changes only the permissions of a file. The old one is preserved next to it
 * until the end.
 */
export async function replace(step: RecordedStep, restore: Restore): Promise<void> {
  const { from, to } = step;
  await using parent = await openExisting(restore.workspace, parentOf(step.path));
  const at = parent.at(nameOf(step.path));
  if (from.kind === 'file' && to.kind === 'file' && from.blob === to.blob) {
    return await changePermissions(parent, step, { from: from.permissions, to: to.permissions });
  }
  await using beside = await openExisting(restore.workspace, parentOf(step.beside));
  const staged = beside.at(`${nameOf(step.beside)}.new`);
  if (to.kind === 'link') {
    await unlinkIfThere(staged);
    await symlink(Buffer.from(to.target, 'latin1'), staged);
  }
  const preserved = from.kind === 'file' ? await preserve(at, beside, step) : undefined;
  if (!(await isOld(from.kind === 'file' ? beside : parent, step, restore))) {
    throw changed(step.path, 'it was replaced while it was restored');
  }
  if (preserved === 'linked') checkNotReplaced(at, beside, step);
  // Nothing is awaited between the check and this: the moment in which another program could replace it is short.
  renameSync(staged, at);
}

/** Sets the rights of the very file that has the others. */
export async function changePermissions(
  folder: OpenFolder,
  { path }: RecordedStep,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  await using file = await open(folder.at(nameOf(path)), flags);
  const { mode } = await file.stat();
  if ((mode & 0o7777) !== from) throw changed(path, 'its permissions were changed while it was restored');
  await file.chmod(to);
}

/** The error for a path whose state differs from the plan. */
export function changed(path: BytePath, reason: string): WorkspaceError {
  return refusal('restore', pathText(toWorkspacePath(path)), 'changed', reason);
}

/** Removes a file of ours, if it is there. */
export async function unlinkIfThere(at: Buffer): Promise<void> {
  try {
    await unlink(at);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** A second name for the old file: then taking back needs no room on the disk. */
async function preserve(at: Buffer, beside: OpenFolder, step: RecordedStep): Promise<'linked' | 'copied'> {
  const old = beside.at(`${nameOf(step.beside)}.old`);
  await unlinkIfThere(old);
  try {
    await link(at, old);
    return 'linked';
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    await copyFile(at, old, constants.COPYFILE_EXCL);
    await using file = await open(old, constants.O_RDWR | constants.O_NOFOLLOW);
    if (step.from.kind === 'file') await file.chmod(step.from.permissions);
    await file.sync();
    return 'copied';
  }
}

/** Whether a file to be removed is still the planned one. */
async function isOld(folder: OpenFolder, step: RecordedStep, { planned }: Restore): Promise<boolean> {
  const isBeside = step.from.kind === 'file' || step.to.kind === 'absent';
  const name = isBeside ? `${nameOf(step.beside)}.old` : nameOf(step.path);
  const expected = planned.get(step.path);
  const status = await statusOf(folder.at(name));
  if (expected !== undefined && status?.isFile() === true && markOf(status) === expected.mark) return true;
  return isSame(step.from, await lookIn(folder, name, step.path));
}

/** The path and its second name are still one file: another program has not replaced it since. */
function checkNotReplaced(at: Buffer, beside: OpenFolder, step: RecordedStep): void {
  const [now, old] = [lstatSync(at), lstatSync(beside.at(`${nameOf(step.beside)}.old`))];
  if (now.ino !== old.ino) throw changed(step.path, 'it was replaced while it was restored');
}

async function ownerOf(
  path: BytePath,
  workspace: Workspace,
): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  await using parent = await openExisting(workspace, parentOf(path));
  const status = await statusOf(parent.at(nameOf(path)));
  if (status === undefined) return undefined;
  const [uid, gid] = [Number(status.uid), Number(status.gid)];
  return uid === process.geteuid?.() && gid === process.getegid?.() ? undefined : { uid, gid };
}

/** This disk has no second names for files, or not another one for this file. */
function hasNoLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(systemCode(error) ?? '');
}
