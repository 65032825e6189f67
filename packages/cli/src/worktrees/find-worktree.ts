import path from 'node:path';
import { listWorktrees, type WorktreeRecord } from '@parley/workspace/worktree';
import { CliError } from '../cli-error.ts';
import { stateFolder } from '../configuration/places.ts';
import { checkFolder } from '../input-file.ts';
import { toPlainText } from '../output/plain.ts';
import type { Surroundings } from '../surroundings.ts';
import { toCliError } from './worktree-error.ts';

/** Where the commands look. */
export interface WorktreePlaceFlags {
  readonly cwd?: string;
}

/** The worktrees of the repository of a folder; of all repositories, where it is in none. */
export async function worktreesHere(
  { cwd }: WorktreePlaceFlags,
  surroundings: Surroundings,
): Promise<readonly WorktreeRecord[]> {
  const { stderr, env } = surroundings;
  const folder = path.resolve(surroundings.cwd, cwd ?? '.');
  if (cwd !== undefined) await checkFolder('--cwd', folder);
  try {
    return await listWorktrees(folder, {
      stateFolder: stateFolder(env),
      onDamaged: ({ message }) => stderr.write(`parley: ${toPlainText(message)}\n`),
    });
  } catch (error) {
    throw toCliError(error, 'worktrees');
  }
}

/** The worktree of that name. @throws {CliError} There is none, or more than one. */
export function onlyOne(name: string, worktrees: readonly WorktreeRecord[]): WorktreeRecord {
  const found = worktrees.filter((worktree) => worktree.name === name);
  const [first] = found;
  if (first === undefined) {
    throw new CliError('usage', `no worktree "${name}"; "parley worktrees list" lists the worktrees`);
  }
  if (found.length === 1) return first;
  const places = found.map(({ checkout }) => checkout).join(', ');
  throw new CliError(
    'usage',
    `several repositories have a worktree "${name}" (${places}); select one with --cwd`,
  );
}
