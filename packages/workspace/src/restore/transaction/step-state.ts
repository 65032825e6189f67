import type { BytePath } from '../../checkpoint/workspace-path.ts';
import { nameOf, parentOf } from '../byte-path.ts';
import { eachAtOnce, pathsAtOnce } from '../each-at-once.ts';
import { type Found, type FoundFile, lookAt, markOf } from '../look.ts';
import { type Workspace, openFolder, statusOf } from '../open-folder.ts';
import type { RecordedState, RecordedStep, RestoreRecord } from './restore-record.ts';

/** A restore that is carried out. */
export interface Restore {
  readonly workspace: Workspace;
  readonly record: RestoreRecord;
  /** Its folder in the state folder. */
  readonly folder: string;
  /** Paths that differ only in case. */
  readonly twins: ReadonlySet<BytePath>;
  /** The planned files: one with the same mark is not read again. */
  readonly planned: ReadonlyMap<BytePath, FoundFile>;
  /** How many paths are read or changed at once. */
  readonly atOnce: number;
  /** Called before each change of the disk, with what changes. */
  readonly reached: (step: string) => void;
}

/** The state of a step: still as before, already as after, or neither. */
export type StepState = 'pending' | 'done' | 'changed';

/** Paths that differ only in case may be one file: then one step comes after another. */
export function restoresAtOnce(twins: ReadonlySet<BytePath>, wanted: number = pathsAtOnce): number {
  return twins.size === 0 ? wanted : 1;
}

/** How far each step is. */
export async function statesOf(
  steps: readonly RecordedStep[],
  restore: Restore,
): Promise<ReadonlyMap<RecordedStep, StepState>> {
  const states = new Map<RecordedStep, StepState>();
  await eachAtOnce(steps, restore.atOnce, async (step) => {
    states.set(step, await stateOf(step, restore));
  });
  return states;
}

async function stateOf(step: RecordedStep, restore: Restore): Promise<StepState> {
  const { workspace, twins, planned } = restore;
  const expected = planned.get(step.path);
  if (expected !== undefined && isStill(step.path, expected, workspace)) return 'pending';
  const now = await lookAt(workspace, step.path, twins.has(step.path));
  if (isSame(step.to, now)) return 'done';
  return isSame(step.from, now) ? 'pending' : 'changed';
}

/** Whether a path is in a recorded state. If none is recorded, a folder counts as absent. */
export function isSame(state: RecordedState, found: Found): boolean {
  switch (state.kind) {
    case 'absent':
      return found.kind === 'absent' || found.kind === 'folder' || found.kind === 'blocked';
    case 'link':
      return found.kind === 'link' && found.target.toString('latin1') === state.target;
    case 'file':
      return found.kind === 'file' && found.blob === state.blob && found.permissions === state.permissions;
  }
}

/** Whether a file is still the same, by its mark and rights alone. */
function isStill(path: BytePath, { mark, permissions }: FoundFile, workspace: Workspace): boolean {
  const folder = openFolder(workspace, parentOf(path));
  if (folder.kind !== 'folder') return false;
  using held = folder;
  const status = statusOf(held.at(nameOf(path)));
  return (
    status?.isFile() === true && markOf(status) === mark && Number(status.mode & 0o7777n) === permissions
  );
}
