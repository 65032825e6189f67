import { parentOf } from '../byte-path.ts';
import { eachAtOnce } from '../each-at-once.ts';
import { openFolder } from '../open-folder.ts';
import { changed, create, remove, replace } from './disk-change.ts';
import { makeFolder, removeFolder } from './folder-change.ts';
import type { RecordedStep } from './restore-record.ts';
import { stage } from './stage.ts';
import { type Restore, statesOf } from './step-state.ts';

/** Carries out all that is not done yet. */
export async function carryOut(restore: Restore): Promise<void> {
  const { record, atOnce, reached } = restore;
  const states = await statesOf(record.steps, restore);
  const replaced = record.steps.find((step) => states.get(step) === 'changed');
  if (replaced !== undefined) throw changed(replaced.path, 'it was changed while it was restored');
  const pending = record.steps.filter((step) => states.get(step) === 'pending');
  await stage(pending.filter(needsContent), restore);
  const removed = pending.filter(({ to }) => to.kind === 'absent');
  await eachAtOnce(removed, atOnce, async (step) => {
    reached(`remove ${step.path}`);
    await remove(step, restore);
  });
  for (const { path } of record.clearedFolders) {
    reached(`clear ${path}`);
    await removeFolder(path, restore.workspace);
  }
  for (const folder of record.newFolders) {
    reached(`make ${folder.path}`);
    await makeFolder(folder, restore.workspace);
  }
  const written = pending.filter(({ to }) => to.kind !== 'absent');
  await eachAtOnce(written, atOnce, async (step) => {
    reached(`write ${step.path}`);
    await (step.from.kind === 'absent' ? create(step, restore) : replace(step, restore));
  });
  const folders = new Set(record.steps.map(({ path }) => parentOf(path)));
  await eachAtOnce(folders, atOnce, async (path) => {
    const folder = openFolder(restore.workspace, path);
    if (folder.kind !== 'folder') return;
    using held = folder;
    await held.sync();
  });
}

/** Whether a step writes a content, and not only rights. */
export function needsContent({ from, to }: RecordedStep): boolean {
  if (to.kind !== 'file') return false;
  return from.kind !== 'file' || from.blob !== to.blob;
}
