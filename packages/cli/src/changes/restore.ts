import type { RestoreResult } from '@parley/host/hub';
import { exitStatus } from '../exit-status.ts';
import type { Surroundings } from '../surroundings.ts';
import { toCliError } from './changes-error.ts';
import {
  announce,
  findChangedPaths,
  findChanges,
  type ChangesFlags,
  type FoundChanges,
} from './find-changes.ts';
import { conflictLines, restoreLines } from './restore-text.ts';

/** The flags of `parley changes redo`. */
export interface RestoreFlags extends ChangesFlags {
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** The flags of `parley changes undo`. */
export interface UndoFlags extends RestoreFlags {
  readonly turn?: number;
  readonly unreported?: boolean;
}

/** `parley changes undo`. Returns the exit status. */
export async function undoCommand(
  words: readonly string[],
  flags: UndoFlags,
  surroundings: Surroundings,
): Promise<number> {
  const found = await findChangedPaths(words, flags, surroundings);
  const { changes, paths } = found;
  return restore('undo', flags, { found, surroundings }, () =>
    changes.undo({
      ...howOf(flags),
      ...(flags.turn !== undefined && { turn: flags.turn }),
      ...(paths !== undefined && { paths }),
      ...(flags.unreported === true && { unreported: true }),
    }),
  );
}

/** `parley changes redo`. Returns the exit status. */
export async function redoCommand(
  session: string | undefined,
  flags: RestoreFlags,
  surroundings: Surroundings,
): Promise<number> {
  const found = await findChanges(session, flags, surroundings);
  return restore('redo', flags, { found, surroundings }, () => found.changes.redo(howOf(flags)));
}

async function restore(
  what: 'undo' | 'redo',
  flags: RestoreFlags,
  { found, surroundings }: { readonly found: FoundChanges; readonly surroundings: Surroundings },
  work: () => Promise<RestoreResult>,
): Promise<number> {
  const { stdout, stderr } = surroundings;
  const result = await work().catch((error: unknown) => {
    throw toCliError(`changes ${what}`, error);
  });
  await announce(found, surroundings);
  const isDryRun = flags.dryRun === true;
  const hasConflicts = result.conflicts.length > 0;
  if (flags.json === true) stdout.write(`${JSON.stringify({ ...result, dryRun: isDryRun }, undefined, 2)}\n`);
  else for (const line of restoreLines(what, result, { isDryRun })) stdout.write(`${line}\n`);
  if (!hasConflicts) return exitStatus.done;
  const isForced = flags.force === true;
  for (const line of conflictLines(what, result.conflicts, { isForced })) stderr.write(`parley: ${line}\n`);
  return exitStatus.refused;
}

function howOf({ dryRun, force }: RestoreFlags): { readonly dryRun?: true; readonly force?: true } {
  return { ...(dryRun === true && { dryRun: true }), ...(force === true && { force: true }) };
}
