import { Buffer } from 'node:buffer';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { type BytePath, toWorkspacePath } from '../../checkpoint/workspace-path.ts';
import { type WorkspaceError, refusal, systemCode } from '../../error.ts';
import { nameOf, parentOf, pathText } from '../byte-path.ts';
import { lookIn, markOf } from '../look.ts';
import { type OpenFolder, openExisting, statusOf } from '../open-folder.ts';
import type { RecordedStep } from './restore-record.ts';
import { type Restore, isSame } from './step-state.ts';

/** Takes a file or link out of the way; it stays beside until the end. */
export async function remove(step: RecordedStep, restore: Restore): Promise<void> {
  using parent = openExisting(restore.workspace, parentOf(step.path));
  using beside = openExisting(restore.workspace, parentOf(step.beside));
  const at = parent.at(nameOf(step.path));
  const old = beside.at(`${nameOf(step.beside)}.old`);
  renameSync(at, old);
  if (await isOld(beside, step, restore)) return;
  // It was replaced after the check: it goes back, unless its name is taken again.
  if (statusOf(at) === undefined) renameSync(old, at);
  throw changed(step.path, 'it was replaced while it was restored');
}

/** Creates a file or link; never replaces an existing one. */
export function create(step: RecordedStep, restore: Restore): void {
  using parent = openExisting(restore.workspace, parentOf(step.path));
  const at = parent.at(nameOf(step.path));
  try {
    if (step.to.kind === 'link') return symlinkSync(Buffer.from(step.to.target, 'latin1'), at);
    using beside = openExisting(restore.workspace, parentOf(step.beside));
    const staged = beside.at(`${nameOf(step.beside)}.new`);
    try {
      linkSync(staged, at);
      unlinkSync(staged);
    } catch (error) {
      if (!hasNoLinks(error)) throw error;
      if (statusOf(at) !== undefined) {
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
  using parent = openExisting(restore.workspace, parentOf(step.path));
  const at = parent.at(nameOf(step.path));
  if (from.kind === 'file' && to.kind === 'file' && from.blob === to.blob) {
    return changePermissions(parent, step, { from: from.permissions, to: to.permissions });
  }
  using beside = openExisting(restore.workspace, parentOf(step.beside));
  const staged = beside.at(`${nameOf(step.beside)}.new`);
  if (to.kind === 'link') {
    unlinkIfThere(staged);
    symlinkSync(Buffer.from(to.target, 'latin1'), staged);
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
export function changePermissions(
  folder: OpenFolder,
  { path }: RecordedStep,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = openSync(folder.at(nameOf(path)), flags);
  try {
    const { mode } = fstatSync(file);
    if ((mode & 0o7777) !== from) throw changed(path, 'its permissions were changed while it was restored');
    fchmodSync(file, to);
  } finally {
    closeSync(file);
  }
}

/** The error for a path whose state differs from the plan. */
export function changed(path: BytePath, reason: string): WorkspaceError {
  return refusal('restore', pathText(toWorkspacePath(path)), 'changed', reason);
}

/** Removes a file of ours, if it is there. */
export function unlinkIfThere(at: Buffer): void {
  try {
    unlinkSync(at);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** A second name for the old file: then taking back needs no room on the disk. */
async function preserve(at: Buffer, beside: OpenFolder, step: RecordedStep): Promise<'linked' | 'copied'> {
  const old = beside.at(`${nameOf(step.beside)}.old`);
  unlinkIfThere(old);
  try {
    linkSync(at, old);
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
  const status = statusOf(folder.at(name));
  if (expected !== undefined && status?.isFile() === true && markOf(status) === expected.mark) return true;
  return isSame(step.from, await lookIn(folder, name, step.path));
}

/** The path and its second name are still one file: another program has not replaced it since. */
function checkNotReplaced(at: Buffer, beside: OpenFolder, step: RecordedStep): void {
  const [now, old] = [lstatSync(at), lstatSync(beside.at(`${nameOf(step.beside)}.old`))];
  if (now.ino !== old.ino) throw changed(step.path, 'it was replaced while it was restored');
}

/** This disk has no second names for files, or not another one for this file. */
function hasNoLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(systemCode(error) ?? '');
}
