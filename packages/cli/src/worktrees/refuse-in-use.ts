import { filesStore } from '@parley/host';
import type { NamedWorktree } from '@parley/workspace/worktree';
import { CliError } from '../cli-error.ts';
import { eventLogsFolder, type Variables } from '../configuration/places.ts';

/**
 * Refuses to begin something in a worktree, or to remove it, while a session runs there. The lock of a worktree shows what began
 * there by its name; a session of the hub that continues there holds only its lease.
 *
 * @throws {CliError} `refused`
 */
export async function refuseInUse({ name, path }: NamedWorktree, env: Variables): Promise<void> {
  const store = filesStore(eventLogsFolder(env));
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
