import { toText, worktreePatch } from '@parley/workspace/worktree';
import { stateFolder } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import { toPlainText } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import { onlyOne, worktreesHere, type WorktreePlaceFlags } from './find-worktree.ts';

/** `parley worktrees show`: the patch of a worktree, as `git apply` takes it. Gives the exit status. */
export async function showCommand(
  name: string,
  flags: WorktreePlaceFlags & { readonly json?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const record = onlyOne(name, await worktreesHere(flags, surroundings));
  const { patch, repositories } = await worktreePatch(record, { stateFolder: stateFolder(env) });
  for (const folder of repositories) {
    stderr.write(
      `parley: not in the patch, because it is a separate repository: ${toPlainText(toText(folder))}\n`,
    );
  }
  const { path, branch, base } = record;
  if (flags.json !== true) stdout.write(patch);
  else stdout.write(`${JSON.stringify({ name, path, branch, base, patch: patch.toString('utf8') })}\n`);
  return exitStatus.done;
}
