import { rm, stat } from 'node:fs/promises';
import { createSessionKey, isSessionKey, type SessionStore } from '@parley/host';
import { openLog } from '@parley/workspace';
import { checked, fields, optional, parserOf, text } from '@parley/workspace/schema';
import * as v from 'valibot';

/** Where sessions of earlier versions are adopted. */
export interface AdoptOptions {
  readonly store: SessionStore;
  /** The program that adopts them, as event logs say. */
  readonly program: string;
}

/**
 * Converts ACP sessions of an earlier version, which stored only their owners, to sessions of the hub; their agents
 * have the conversations. Ids are preserved if they are valid folder names. Removes the file when all sessions are
 * converted.
 *
 * @returns The number of converted sessions.
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

const parseOwner = parserOf<AcpOwner>(
  checked(
    fields({ agent: text, id: text, owner: optional(text), cwd: v.exactOptional(text, '') }),
    ({ owner, cwd }) => (owner === undefined || cwd !== '' ? undefined : 'an owner, but no folder'),
  ),
);

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

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    // Nothing was stored there.
    return false;
  }
}
