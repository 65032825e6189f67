import { removeWorktree } from '@parley/workspace/worktree';
import { stateFolder } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import type { Surroundings } from '../surroundings.ts';
import { onlyOne, worktreesHere, type WorktreePlaceFlags } from './find-worktree.ts';
import { refuseInUse } from './refuse-in-use.ts';
import { toCliError } from './worktree-error.ts';

/** The flags of `parley worktrees remove`, as typed. */
export interface RemoveFlags extends WorktreePlaceFlags {
  readonly discard?: boolean;
  readonly json?: boolean;
}

/** `parley worktrees remove`. Gives the exit status. */
export async function removeCommand(
  name: string,
  flags: RemoveFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, env } = surroundings;
  const record = onlyOne(name, await worktreesHere(flags, surroundings));
  await refuseInUse(record, surroundings);
  const { savedAs } = await removeWorktree(record, {
    stateFolder: stateFolder(env),
    discards: flags.discard === true,
  }).catch((error: unknown) => {
    throw toCliError(error, 'remove');
  });
  if (flags.json === true) {
    stdout.write(`${JSON.stringify({ name, removed: true, savedAs: savedAs ?? null })}\n`);
    return exitStatus.done;
  }
  const saved =
    savedAs === undefined
      ? ''
      : ` Its changes are saved as ${savedAs}: "git branch NAME ${savedAs}" makes them a branch.`;
  stdout.write(`Removed the worktree "${name}".${saved}\n`);
  return exitStatus.done;
}
