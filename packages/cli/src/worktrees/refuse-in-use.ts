import { filesStore, type SessionStore } from '@parley/host';
import type { NamedWorktree } from '@parley/workspace/worktree';
import { CliError } from '../cli-error.ts';
import { eventLogsFolder } from '../configuration/places.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * Refuses to begin something in a worktree, or to remove it, while a session runs there. The lock of a worktree shows what began
 * there by its name; a session of the hub that continues there holds only its lease, in the files of this machine or in its
 * database.
 *
 * @throws {CliError} `refused`
 */
export async function refuseInUse(
  { name, path }: NamedWorktree,
  where: Pick<Surroundings, 'env' | 'sessions'>,
): Promise<void> {
  for (const store of sessionStores(where)) {
    for (const { key, start } of await store.list()) {
      if (start.worktree?.path !== path) continue;
      const owner = await store.owner(key);
      if (owner === undefined) continue;
      throw new CliError(
        'refused',
        `the worktree "${name}" is in use: ${owner.name} has the session ${key} open`,
      );
    }
  }
}

/** Where the sessions of the worktrees of this machine may be stored: the given database, and the files. */
export function sessionStores({
  env,
  sessions,
}: Pick<Surroundings, 'env' | 'sessions'>): readonly SessionStore[] {
  return [...(sessions === undefined ? [] : [sessions]), filesStore(eventLogsFolder(env))];
}
