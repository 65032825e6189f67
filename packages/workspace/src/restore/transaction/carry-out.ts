import { parentOf } from '../byte-path.ts';
import { openFolder } from '../open-folder.ts';
import { changed, create, remove, replace, stage } from './disk-change.ts';
import { makeFolder, removeFolder } from './folder-change.ts';
import type { RecordedStep } from './restore-record.ts';
import { type Restore, stateOf } from './step-state.ts';

/** Carries out all that is not done yet. */
export async function carryOut(restore: Restore): Promise<void> {
  const { record, reached } = restore;
  const pending: RecordedStep[] = [];
  for (const step of record.steps) {
    const state = await stateOf(step, restore);
    if (state === 'changed') throw changed(step.path, 'it was changed while it was restored');
    if (state === 'pending') pending.push(step);
  }
  for (const step of pending) {
    if (!needsContent(step)) continue;
    reached(`stage ${step.path}`);
    await stage(step, restore);
  }
  for (const step of pending.filter(({ to }) => to.kind === 'absent')) {
    reached(`remove ${step.path}`);
    await remove(step, restore);
  }
  for (const { path } of record.clearedFolders) {
    reached(`clear ${path}`);
    await removeFolder(path, restore.workspace);
  }
  for (const folder of record.newFolders) {
    reached(`make ${folder.path}`);
    await makeFolder(folder, restore.workspace);
  }
  for (const step of pending.filter(({ to }) => to.kind !== 'absent')) {
    reached(`write ${step.path}`);
    await (step.from.kind === 'absent' ? create(step, restore) : replace(step, restore));
  }
  const folders = new Set(record.steps.map(({ path }) => parentOf(path)));
  for (const path of folders) {
    const folder = await openFolder(restore.workspace, path);
    if (folder.kind !== 'folder') continue;
    await using held = folder;
    await held.sync();
  }
}

/** Whether a step writes a content, and not only rights. */
export function needsContent({ from, to }: RecordedStep): boolean {
  if (to.kind !== 'file') return false;
  return from.kind !== 'file' || from.blob !== to.blob;
}
