import type { ConversationFlags } from '../conversation/flags.ts';
import type { Warn } from '../conversation/prepare-conversation.ts';
import { checkFolder } from '../input-file.ts';
import { toPlainText } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import type { OpenSessionWorktree } from './session-worktree.ts';

/** Receives notes about the worktree, and the signal that cancels opening it. */
export interface OpenWantedOptions {
  readonly surroundings: Surroundings;
  readonly warn: Warn;
  readonly signal: AbortSignal;
}

/** Opens the worktree that the flags want, and says on standard error which one it is. */
export async function openWanted(
  { cwd, worktree: wish }: ConversationFlags,
  { surroundings: { stderr, env }, warn, signal }: OpenWantedOptions,
): Promise<OpenSessionWorktree | undefined> {
  if (wish === undefined) return undefined;
  await checkFolder('--cwd', cwd);
  const { openSessionWorktree } = await import('./session-worktree.ts');
  const opened = await openSessionWorktree(cwd, wish, {
    env,
    signal,
    warn: (message) => {
      warn('worktree', message);
    },
    onSetupOutput: (text) => stderr.write(toPlainText(text)),
  });
  const { name, branch, path } = opened.worktree;
  stderr.write(`parley: in the worktree "${name}" (branch ${toPlainText(branch)}, ${toPlainText(path)})\n`);
  return opened;
}
