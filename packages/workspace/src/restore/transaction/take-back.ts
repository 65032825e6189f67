import { Buffer } from 'node:buffer';
import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import type { BytePath } from '../../checkpoint/workspace-path.ts';
import { systemCode } from '../../error.ts';
import { nameOf, parentOf } from '../byte-path.ts';
import { eachAtOnce } from '../each-at-once.ts';
import { type OpenFolder, type Workspace, openFolder, statusOf } from '../open-folder.ts';
import { changePermissions, unlinkIfThere } from './disk-change.ts';
import { makeFolder, makeIfFree, removeIfEmpty } from './folder-change.ts';
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
  await eachAtOnce(written, atOnce, (step) => {
    reached(`take back ${step.path}`);
    if (!takeBackWritten(step, restore)) left.add(step);
  });
  for (const { path } of record.newFolders.toReversed()) await removeIfEmpty(path, workspace);
  for (const folder of record.clearedFolders.toReversed()) {
    reached(`make again ${folder.path}`);
    await makeFolder(folder, workspace);
  }
  const removed = done.filter(({ to }) => to.kind === 'absent');
  await eachAtOnce(removed, atOnce, (step) => {
    reached(`bring back ${step.path}`);
    bringBack(step, restore);
  });
  await removeBeside(restore);
  return steps.filter((step) => left.has(step)).map(({ path }) => path);
}

/** Removes temporary files, removes the folders that go if they are empty, and creates those that return without files. */
export async function cleanUp(restore: Restore): Promise<void> {
  const { record, workspace } = restore;
  await removeBeside(restore);
  for (const path of record.madeFolders) await removeIfEmpty(path, workspace);
  for (const folder of record.emptyFolders) await makeIfFree(folder, workspace);
}

/** False where its old content is not there any more: another program removed it. */
function takeBackWritten(step: RecordedStep, { workspace }: Restore): boolean {
  const { from, to } = step;
  return withFolders(step, workspace, (parent, beside) => {
    const at = parent.at(nameOf(step.path));
    if (from.kind === 'absent') {
      unlinkSync(at);
      return;
    }
    if (from.kind === 'file' && to.kind === 'file' && from.blob === to.blob) {
      changePermissions(parent, step, { from: to.permissions, to: from.permissions });
      return;
    }
    if (from.kind === 'file') {
      renameSync(beside.at(`${nameOf(step.beside)}.old`), at);
      return;
    }
    const staged = beside.at(`${nameOf(step.beside)}.new`);
    unlinkIfThere(staged);
    symlinkSync(Buffer.from(from.target, 'latin1'), staged);
    renameSync(staged, at);
  });
}

/** A removed file gets its name back, unless another one has it. */
function bringBack(step: RecordedStep, { workspace }: Restore): void {
  withFolders(step, workspace, (parent, beside) => {
    const [at, old] = [parent.at(nameOf(step.path)), beside.at(`${nameOf(step.beside)}.old`)];
    if (statusOf(at) === undefined) renameSync(old, at);
  });
}

async function removeBeside({ record, workspace, atOnce }: Restore): Promise<void> {
  await eachAtOnce(record.steps, atOnce, ({ beside }) => {
    const folder = openFolder(workspace, parentOf(beside));
    if (folder.kind !== 'folder') return;
    using held = folder;
    unlinkIfThere(held.at(`${nameOf(beside)}.new`));
    unlinkIfThere(held.at(`${nameOf(beside)}.old`));
  });
}

function withFolders(
  step: RecordedStep,
  workspace: Workspace,
  act: (parent: OpenFolder, beside: OpenFolder) => void,
): boolean {
  const parent = openFolder(workspace, parentOf(step.path));
  if (parent.kind !== 'folder') return false;
  using heldParent = parent;
  const beside = openFolder(workspace, parentOf(step.beside));
  if (beside.kind !== 'folder') return false;
  using heldBeside = beside;
  try {
    act(heldParent, heldBeside);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
