import { Buffer } from 'node:buffer';
import { rename, symlink, unlink } from 'node:fs/promises';
import type { BytePath } from '../../checkpoint/workspace-path.ts';
import { systemCode } from '../../error.ts';
import { nameOf, parentOf } from '../byte-path.ts';
import { eachAtOnce } from '../each-at-once.ts';
import { type OpenFolder, type Workspace, openFolder, statusOf } from '../open-folder.ts';
import { changePermissions, unlinkIfThere } from './disk-change.ts';
import { makeFolder, removeIfEmpty } from './folder-change.ts';
import type { RecordedStep } from './restore-record.ts';
import { type Restore, statesOf } from './step-state.ts';

/** Rolls back everything; returns the paths that were changed in the meantime, and were not touched. */
export async function takeBack(restore: Restore): Promise<readonly BytePath[]> {
  const { record, workspace, atOnce, reached } = restore;
  const steps = record.steps.toReversed();
  const states = await statesOf(steps, restore);
  const left = new Set(steps.filter((step) => states.get(step) === 'changed'));
  const done = steps.filter((step) => states.get(step) === 'done');
  const written = done.filter(({ to }) => to.kind !== 'absent');
  await eachAtOnce(written, atOnce, async (step) => {
    reached(`take back ${step.path}`);
    if (!(await takeBackWritten(step, restore))) left.add(step);
  });
  for (const { path } of record.newFolders.toReversed()) await removeIfEmpty(path, workspace);
  for (const folder of record.clearedFolders.toReversed()) {
    reached(`make again ${folder.path}`);
    await makeFolder(folder, workspace);
  }
  const removed = done.filter(({ to }) => to.kind === 'absent');
  await eachAtOnce(removed, atOnce, async (step) => {
    reached(`bring back ${step.path}`);
    await bringBack(step, restore);
  });
  await removeBeside(restore);
  return steps.filter((step) => left.has(step)).map(({ path }) => path);
}

/** Removes temporary files, and empty folders that the restore created. */
export async function cleanUp(restore: Restore): Promise<void> {
  await removeBeside(restore);
  for (const path of restore.record.madeFolders) await removeIfEmpty(path, restore.workspace);
}

/** False where its old content is not there any more: another program removed it. */
async function takeBackWritten(step: RecordedStep, { workspace }: Restore): Promise<boolean> {
  const { from, to } = step;
  return withFolders(step, workspace, async (parent, beside) => {
    const at = parent.at(nameOf(step.path));
    if (from.kind === 'absent') {
      await unlink(at);
      return;
    }
    if (from.kind === 'file' && to.kind === 'file' && from.blob === to.blob) {
      await changePermissions(parent, step, { from: to.permissions, to: from.permissions });
      return;
    }
    if (from.kind === 'file') {
      await rename(beside.at(`${nameOf(step.beside)}.old`), at);
      return;
    }
    const staged = beside.at(`${nameOf(step.beside)}.new`);
    await unlinkIfThere(staged);
    await symlink(Buffer.from(from.target, 'latin1'), staged);
    await rename(staged, at);
  });
}

/** A removed file gets its name back, unless another one has it. */
async function bringBack(step: RecordedStep, { workspace }: Restore): Promise<void> {
  await withFolders(step, workspace, async (parent, beside) => {
    const [at, old] = [parent.at(nameOf(step.path)), beside.at(`${nameOf(step.beside)}.old`)];
    if ((await statusOf(at)) === undefined) await rename(old, at);
  });
}

async function removeBeside({ record, workspace, atOnce }: Restore): Promise<void> {
  await eachAtOnce(record.steps, atOnce, async ({ beside }) => {
    const folder = await openFolder(workspace, parentOf(beside));
    if (folder.kind !== 'folder') return;
    await using held = folder;
    await unlinkIfThere(held.at(`${nameOf(beside)}.new`));
    await unlinkIfThere(held.at(`${nameOf(beside)}.old`));
  });
}

async function withFolders(
  step: RecordedStep,
  workspace: Workspace,
  act: (parent: OpenFolder, beside: OpenFolder) => Promise<void>,
): Promise<boolean> {
  const parent = await openFolder(workspace, parentOf(step.path));
  if (parent.kind !== 'folder') return false;
  await using heldParent = parent;
  const beside = await openFolder(workspace, parentOf(step.beside));
  if (beside.kind !== 'folder') return false;
  await using heldBeside = beside;
  try {
    await act(heldParent, heldBeside);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
