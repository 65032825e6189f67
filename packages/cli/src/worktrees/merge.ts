import { mergeWorktree, toText, type WorktreeRecord } from '@parley/workspace/worktree';
import { CliError } from '../cli-error.ts';
import { stateFolder } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import { toPlainText } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import { onlyOne, worktreesHere, type WorktreePlaceFlags } from './find-worktree.ts';
import { toCliError } from './worktree-error.ts';

/** The flags of a merge, as typed. */
export interface MergeFlags extends WorktreePlaceFlags {
  readonly commit?: boolean;
  readonly message?: string;
  readonly json?: boolean;
}

/** `parley worktrees merge`. Gives the exit status. */
export async function mergeCommand(
  name: string,
  flags: MergeFlags,
  surroundings: Surroundings,
): Promise<number> {
  checkMessage(flags);
  return mergeRecord(onlyOne(name, await worktreesHere(flags, surroundings)), flags, surroundings);
}

/** Merges a worktree into the checkout that it came from, and says what was done. Gives the exit status. */
export async function mergeRecord(
  record: WorktreeRecord,
  flags: MergeFlags,
  { stdout, stderr, env }: Surroundings,
): Promise<number> {
  const { name } = record;
  const { message } = flags;
  const merge = await mergeWorktree(record, {
    stateFolder: stateFolder(env),
    ...(message !== undefined && { message }),
  }).catch((error: unknown) => {
    throw toCliError(error, 'merge');
  });
  const { checkout, commit, files, additions, deletions, repositories } = merge;
  for (const folder of repositories) {
    stderr.write(`parley: not merged, because it is a separate repository: ${toPlainText(toText(folder))}\n`);
  }
  if (flags.json === true) {
    stdout.write(
      `${JSON.stringify({ name, checkout, commit: commit ?? null, files, additions, deletions })}\n`,
    );
    return exitStatus.done;
  }
  const count = `${String(files)} ${files === 1 ? 'file' : 'files'}, +${String(additions)} −${String(deletions)}`;
  const as = commit === undefined ? 'as uncommitted changes' : `as the commit ${commit.slice(0, 12)}`;
  const text =
    files === 0 && commit === undefined
      ? `${checkout} already has all changes of the worktree "${name}".`
      : `Merged the worktree "${name}" into ${checkout} ${as}: ${count}.`;
  stdout.write(`${toPlainText(text)}\n`);
  return exitStatus.done;
}

/** @throws {CliError} `usage` */
export function checkMessage({ commit, message }: MergeFlags): void {
  if (commit === true && (message ?? '').trim() === '') {
    throw new CliError('usage', '--commit: requires a message; add -m MESSAGE');
  }
  if (commit !== true && message !== undefined) throw new CliError('usage', '-m requires --commit');
}
