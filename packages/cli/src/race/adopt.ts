import { worktreesNamed } from '@parley/workspace/worktree';
import { stateFolder } from '../configuration/places.ts';
import { toPlainText } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import { onlyOne } from '../worktrees/find-worktree.ts';
import { checkMessage, mergeRecord, type MergeFlags } from '../worktrees/merge.ts';

/** `parley race adopt`: merges what a runner did. Its id is the name of its worktree. Gives the exit status. */
export async function adopt(id: string, flags: MergeFlags, surroundings: Surroundings): Promise<number> {
  checkMessage(flags);
  const found = await worktreesNamed(id, {
    stateFolder: stateFolder(surroundings.env),
    onDamaged: ({ message }) => surroundings.stderr.write(`parley: ${toPlainText(message)}\n`),
  });
  return mergeRecord(onlyOne(id, found), flags, surroundings);
}
