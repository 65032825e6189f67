import { rm } from 'node:fs/promises';
import { takeLock, WorkspaceError } from '@parley/workspace';
import type { SessionOwner } from '../session-head.ts';
import { eventLogLock, ownerIn, toOwner } from './event-log-file.ts';

/** Removes the folder of a session. While it has an owner nothing is removed, and that is returned. */
export async function removeSession(folder: string): Promise<{ readonly owner?: SessionOwner }> {
  const lease = await takeLease(folder);
  if ('owner' in lease) return lease;
  try {
    await rm(folder, { recursive: true, force: true });
  } finally {
    await lease.release();
  }
  return {};
}

type Lease = { readonly owner: SessionOwner } | { readonly release: () => Promise<void> };

/**
 * Takes the lease. On a full disk, a lock file cannot be created, although removing sessions would free space: then
 * it is enough that no process holds the lease.
 */
async function takeLease(folder: string): Promise<Lease> {
  try {
    const attempt = await takeLock(eventLogLock(folder));
    return attempt.isTaken ? attempt : { owner: toOwner(attempt.holder.pid) };
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'no-space') throw error;
    const owner = await ownerIn(folder);
    return owner === undefined ? { release: () => Promise.resolve() } : { owner };
  }
}
