import { readFileSync, statSync, type Stats } from 'node:fs';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { systemCode, toWorkspaceError } from '../error.ts';
import { startTimeOf } from '../process/start-time.ts';

/** The holder of a lock. */
export interface LockHolder {
  readonly pid: number;
  /** When that process started, if the system reports it: process ids are reused. */
  readonly started?: string;
}

/** The result of an attempt to acquire a lock: the lock, or its holder. */
export type LockAttempt =
  | ({ readonly isTaken: true } & HeldLock)
  | { readonly isTaken: false; readonly holder: LockHolder };

/** An acquired lock. */
export interface HeldLock {
  /** False once the lock file was removed or replaced. One system call if nothing has changed. */
  readonly isHeld: () => boolean;
  readonly release: () => Promise<void>;
}

/**
 * Acquires a lock file. A lock of a process that has ended is ignored.
 *
 * @throws {WorkspaceError} The file cannot be created, for example on a full disk.
 */
export async function takeLock(file: string): Promise<LockAttempt> {
  try {
    return await tryToTake(file);
  } catch (error) {
    throw toWorkspaceError(error, 'lock', file);
  }
}

/** Retries until the lock is acquired or the time is over; then returns its holder. */
export async function awaitLock(file: string, waitMs: number): Promise<LockAttempt> {
  const end = performance.now() + waitMs;
  for (;;) {
    const attempt = await takeLock(file);
    if (attempt.isTaken || performance.now() > end) return attempt;
    await setTimeout(retryMs);
  }
}

/** Delay between two attempts to acquire a lock. */
const retryMs = 10;

async function tryToTake(file: string): Promise<LockAttempt> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const mine = JSON.stringify({
    pid: process.pid,
    started: await startTimeOf(process.pid),
    key: crypto.randomUUID(),
  });
  const release = async (): Promise<void> => {
    if ((await readIfThere(file)) === mine) await rm(file, { force: true });
  };
  let own: Stats | undefined;
  const isHeld = (): boolean => {
    const found = statNow(file);
    if (found !== undefined && own !== undefined && isSame(found, own)) return true;
    if (readNow(file) !== mine) return false;
    own = found;
    return true;
  };
  for (;;) {
    if (await writeNew(file, mine)) return { isTaken: true, isHeld, release };
    const found = await readIfThere(file);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (holder !== undefined && (await isAlive(holder))) return { isTaken: false, holder };
    await removeStale(file, found);
  }
}

/** Returns the holder of a lock, if any. Changes nothing. */
export async function lockHolder(file: string): Promise<LockHolder | undefined> {
  const found = await readIfThere(file);
  const holder = found === undefined ? undefined : parseHolder(found);
  return holder !== undefined && (await isAlive(holder)) ? holder : undefined;
}

/** Written beside and linked, so that a reader never sees half a lock. */
async function writeNew(file: string, text: string): Promise<boolean> {
  const beside = `${file}.${crypto.randomUUID()}`;
  try {
    await writeFile(beside, text, { mode: 0o600, flag: 'wx' });
    await link(beside, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

/** Moves it away before it is removed: another process may have replaced it meanwhile, and gets its own back. */
async function removeStale(file: string, text: string): Promise<void> {
  const aside = `${file}.${crypto.randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await readIfThere(aside)) !== text) await link(aside, file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' && systemCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function isAlive({ pid, started }: LockHolder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signalled, but it exists.
    if (systemCode(error) !== 'EPERM') return false;
  }
  const now = await startTimeOf(pid);
  return started === undefined || now === undefined || started === now;
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('pid' in value)) return undefined;
    const { pid } = value;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
    const started = 'started' in value && typeof value.started === 'string' ? value.started : undefined;
    return { pid, ...(started !== undefined && { started }) };
  } catch {
    // Not ours, or of a disk that was full: it has no holder.
    return undefined;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function statNow(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether it is the same unchanged file: taking the lock replaces the file. */
function isSame(found: Stats, own: Stats): boolean {
  return found.ino === own.ino && found.ctimeMs === own.ctimeMs && found.dev === own.dev;
}

function readNow(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Without its file a lock has no holder.
    return undefined;
  }
}
