import { rename, rm } from 'node:fs/promises';
import { openLog, type Log } from '@parley/workspace';
import { GatewayError } from '../gateway-error.ts';
import { toKey, type SessionOwner, type SessionOwners } from './session-owners.ts';

/** Owners that outlive the server. */
export interface StoredSessionOwners extends SessionOwners, AsyncDisposable {}

/** How owners are stored. */
export interface SessionOwnerFileOptions {
  /** Sessions whose owner is remembered. Above that the oldest one belongs to `admin` only. @default 100000 */
  readonly limit?: number;
  /** Lines that are out of date, beside as many as there are sessions, before the file is written anew at the start. @default 10000 */
  readonly staleLines?: number;
}

/** The longest `sessionId` whose owner is stored. */
const mostIdLength = 1024;

/** Opens the owners in a file that only grows while the server runs. One process at a time may use it. */
export async function openSessionOwners(
  file: string,
  { limit = 100_000, staleLines = 10_000 }: SessionOwnerFileOptions = {},
): Promise<StoredSessionOwners> {
  const entries = new Map<string, Entry>();
  let lines = 0;
  let log: Log | undefined = await openLog(file, {
    format,
    read: (line) => {
      lines += 1;
      const entry = parseEntry(line);
      if (entry === undefined) return;
      const key = toKey(entry.agent, entry.id);
      entries.delete(key);
      if (entry.owner !== undefined) entries.set(key, entry);
    },
  });
  dropOldest(entries, limit);
  if (lines > 2 * entries.size + staleLines) {
    await log.close();
    log = undefined;
    await writeAnew(file, entries.values());
  }

  let writing: Promise<void> = Promise.resolve();
  const append = async (entry: Entry): Promise<void> => {
    // A log that failed once takes nothing more, while the disk may have space again.
    log ??= await openLog(file, { format });
    try {
      log.append(entry);
      await log.sync();
    } catch (error) {
      const broken = log;
      log = undefined;
      await broken.close().catch(() => undefined);
      throw error;
    }
  };
  const write = (entry: Entry): Promise<void> => {
    const written = writing.then(() => append(entry));
    writing = written.catch(() => undefined);
    return written;
  };

  return {
    find: (agent, sessionId) => {
      const entry = entries.get(toKey(agent, sessionId));
      if (entry?.owner === undefined) return undefined;
      return { owner: entry.owner, cwd: entry.cwd ?? '' };
    },
    set: async (agent, id, { owner, cwd }) => {
      if (id.length > mostIdLength) {
        throw new GatewayError(
          'invalid-session',
          `store the owner of a session: its id has ${String(id.length)} characters`,
        );
      }
      const entry = { agent, id, owner, cwd };
      await write(entry);
      entries.set(toKey(agent, id), entry);
      dropOldest(entries, limit);
    },
    delete: async (agent, id) => {
      if (entries.delete(toKey(agent, id))) await write({ agent, id });
    },
    [Symbol.asyncDispose]: async () => {
      await writing;
      await log?.close();
    },
  };
}

const format = { name: 'acp-owners', version: 1 } as const;

/** A line of the file. Without an owner, the session was deleted. */
interface Entry extends Partial<SessionOwner> {
  readonly agent: string;
  readonly id: string;
}

function parseEntry(line: unknown): Entry | undefined {
  if (typeof line !== 'object' || line === null || !('agent' in line && 'id' in line)) return undefined;
  const { agent, id } = line;
  if (typeof agent !== 'string' || typeof id !== 'string') return undefined;
  if (!('owner' in line)) return { agent, id };
  const cwd = 'cwd' in line ? line.cwd : undefined;
  if (typeof line.owner !== 'string' || typeof cwd !== 'string') return undefined;
  return { agent, id, owner: line.owner, cwd };
}

/** In a map, what was added first comes first. */
function dropOldest(entries: Map<string, Entry>, limit: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= limit) return;
    entries.delete(key);
  }
}

async function writeAnew(file: string, entries: Iterable<Entry>): Promise<void> {
  const beside = `${file}.new`;
  await rm(beside, { force: true });
  const log = await openLog(beside, { format, expect: 'new' });
  for (const entry of entries) log.append(entry);
  await log.sync();
  await log.close();
  await rename(beside, file);
}
