import { rm, stat } from 'node:fs/promises';
import { createSessionKey, isSessionKey, type SessionStore } from '@parley/host';
import { openLog } from '@parley/workspace';

/** Where sessions of earlier versions are adopted. */
export interface AdoptOptions {
  readonly store: SessionStore;
  /** The program that adopts them, as event logs say. */
  readonly program: string;
}

/**
 * Makes sessions of the hub of those that remote clients of ACP began with an earlier version, which stored their owners only: their
 * agents have what was said. They keep their ids where those can be the name of a folder. The file goes once all are there.
 *
 * @returns how many there were
 */
export async function adoptAcpSessions(file: string, { store, program }: AdoptOptions): Promise<number> {
  if (!(await exists(file))) return 0;
  const owners = new Map<string, AcpOwner>();
  const log = await openLog(file, {
    format: { name: 'acp-owners', version: 1 },
    read: (line) => {
      const owner = parseOwner(line);
      if (owner === undefined) return;
      const name = JSON.stringify([owner.agent, owner.id]);
      owners.delete(name);
      if (owner.owner !== undefined) owners.set(name, owner);
    },
  });
  await log.close();
  for (const owner of owners.values()) await adopt(owner, store, program);
  await rm(file);
  return owners.size;
}

/** A line of the file. Without an owner, the session was deleted. */
interface AcpOwner {
  readonly agent: string;
  readonly id: string;
  readonly owner?: string;
  readonly cwd: string;
}

async function adopt(
  { agent, id: sessionId, owner, cwd }: AcpOwner,
  store: SessionStore,
  program: string,
): Promise<void> {
  const isFree = isSessionKey(sessionId) && (await store.head(sessionId)) === undefined;
  const key = isFree ? sessionId : createSessionKey();
  let failure: Error | undefined;
  const eventLog = await store.open(key, {
    start: { agent, cwd, program, ...(owner !== undefined && { owner: { tokenId: owner } }) },
    onFailure: (error) => {
      failure = error;
    },
  });
  eventLog.append({ type: 'session', sessionId, cwd, origin: 'new' });
  eventLog.append({ type: 'session-end', sessionId, reason: 'agent-ended' });
  await eventLog.close();
  if (failure !== undefined) throw failure;
}

function parseOwner(line: unknown): AcpOwner | undefined {
  if (typeof line !== 'object' || line === null || !('agent' in line && 'id' in line)) return undefined;
  const { agent, id } = line;
  if (typeof agent !== 'string' || typeof id !== 'string') return undefined;
  if (!('owner' in line)) return { agent, id, cwd: '' };
  const cwd = 'cwd' in line ? line.cwd : undefined;
  if (typeof line.owner !== 'string' || typeof cwd !== 'string') return undefined;
  return { agent, id, owner: line.owner, cwd };
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    // Nothing was stored there.
    return false;
  }
}
