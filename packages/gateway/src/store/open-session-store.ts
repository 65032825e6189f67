import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AppendOptions, SessionStore } from '@parley/aap/server';
import { readLog, syncDirectory, takeLock, WorkspaceError } from '@parley/workspace';
import { GatewayError } from '../gateway-error.ts';
import { type HeadIndex, openHeadIndex } from './head-index.ts';
import { recordFormat, SessionFile } from './session-file.ts';

/** How a store behaves. */
export interface SessionStoreOptions {
  /** Sessions whose files are open at once; the one that was used longest ago is closed for another. @default 1024 */
  readonly openFiles?: number;
}

/**
 * A store that outlives its process, and the machine's power. Each session is a file that only grows; the lists are kept
 * beside them. One process at a time may use a folder.
 *
 * @throws {GatewayError} `store-in-use`: another process has it.
 */
export async function openSessionStore(
  folder: string,
  options: SessionStoreOptions = {},
): Promise<SessionStore> {
  const sessions = path.join(folder, 'sessions');
  await mkdir(sessions, { recursive: true, mode: 0o700 });
  const lock = await takeLock(path.join(folder, 'lock'));
  if (!lock.isTaken) {
    const message = `open the store ${JSON.stringify(folder)}: process ${String(lock.holder.pid)} uses it`;
    throw new GatewayError('store-in-use', message);
  }
  try {
    const index = await openHeadIndex(folder);
    await catchUp(index, sessions);
    const { openFiles = 1024 } = options;
    return new FileStore({ index, folder: sessions, openFiles, release: lock.release });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface FileStoreParts {
  readonly index: HeadIndex;
  readonly folder: string;
  readonly openFiles: number;
  readonly release: () => Promise<void>;
}

class FileStore implements SessionStore {
  readonly #parts: FileStoreParts;
  /** Those that may be open, the one used last at the end. */
  readonly #files = new Map<string, UsedFile>();
  #closing: Promise<void> | undefined;

  constructor(parts: FileStoreParts) {
    this.#parts = parts;
  }

  async *list(): ReturnType<SessionStore['list']> {
    for (const [sessionId, { head }] of this.#parts.index.entries) yield { sessionId, head };
  }

  head(sessionId: string): unknown {
    return this.#parts.index.entries.get(sessionId)?.head;
  }

  async read(sessionId: string, take: (record: unknown) => void | Promise<void>): Promise<boolean> {
    if (!isSessionId(sessionId)) return false;
    await this.#files.get(sessionId)?.file.settled();
    let exists = false;
    const read = async (line: unknown): Promise<void> => {
      exists = true;
      for (const record of recordsOf(line)) await take(record);
    };
    try {
      await readLog(this.#path(sessionId), { format: recordFormat, read });
    } catch (error) {
      if (error instanceof WorkspaceError && error.code === 'not-found') return false;
      throw error;
    }
    return exists;
  }

  append(sessionId: string, records: readonly unknown[], options: AppendOptions = {}): void | Promise<void> {
    try {
      return this.#append(sessionId, records, options);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async remove(sessionId: string): Promise<void> {
    const { index, folder } = this.#parts;
    if (!isSessionId(sessionId)) return;
    const used = this.#files.get(sessionId);
    this.#files.delete(sessionId);
    // It goes anyway, whether all of it could be written or not.
    await used?.file.close().catch(() => undefined);
    await rm(this.#path(sessionId), { force: true });
    await syncDirectory(folder);
    index.delete(sessionId);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { index, release } = this.#parts;
    const results = await Promise.allSettled(
      [...this.#files.keys()].map((sessionId) => this.#shut(sessionId)),
    );
    results.push(...(await Promise.allSettled([index.close()])));
    results.push(...(await Promise.allSettled([release()])));
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason;
    }
  }

  #append(
    sessionId: string,
    records: readonly unknown[],
    { head, durable = false }: AppendOptions,
  ): void | Promise<void> {
    if (this.#closing !== undefined) {
      throw new GatewayError('closed', 'append to a session: the store is closed');
    }
    if (!isSessionId(sessionId)) {
      const message = `append to session ${JSON.stringify(sessionId)}: no file has such a name`;
      throw new GatewayError('invalid-session', message);
    }
    const file = this.#use(sessionId);
    const kept = (): void => {
      if (head !== undefined) this.#parts.index.set(sessionId, { head, isOpen: true });
    };
    const writing = file.append({ ...(head !== undefined && { head }), records }, durable);
    if (writing === undefined) return kept();
    return writing.then(kept, async (error: unknown) => {
      // Of a session that could not be begun nothing is left.
      if (!file.hasLines) await this.remove(sessionId).catch(() => undefined);
      throw error;
    });
  }

  #path(sessionId: string): string {
    return path.join(this.#parts.folder, `${sessionId}${ending}`);
  }

  #use(sessionId: string): SessionFile {
    const { file } = this.#files.get(sessionId) ?? { file: this.#createFile(sessionId) };
    this.#files.delete(sessionId);
    this.#makeRoom();
    this.#files.set(sessionId, { file, usedAt: performance.now() });
    return file;
  }

  #createFile(sessionId: string): SessionFile {
    const { index } = this.#parts;
    return new SessionFile(this.#path(sessionId), {
      onOpen: () => {
        index.set(sessionId, { head: index.entries.get(sessionId)?.head, isOpen: true });
        return index.sync();
      },
      onHead: (head) => index.set(sessionId, { head, isOpen: true }),
    });
  }

  /** Without a timer: what nobody uses is closed when something else is to be used. */
  #makeRoom(): void {
    const oldest = performance.now() - idleFileMs;
    for (const [sessionId, { file, usedAt }] of this.#files) {
      if (this.#files.size < this.#parts.openFiles && usedAt >= oldest) return;
      if (!file.isIdle) continue;
      this.#shut(sessionId).catch(() => {
        // After the next start it counts as one that was being written to.
      });
    }
  }

  async #shut(sessionId: string): Promise<void> {
    const { index } = this.#parts;
    const used = this.#files.get(sessionId);
    this.#files.delete(sessionId);
    await used?.file.close();
    const entry = index.entries.get(sessionId);
    if (entry !== undefined && !this.#files.has(sessionId)) index.set(sessionId, { ...entry, isOpen: false });
  }
}

interface UsedFile {
  readonly file: SessionFile;
  readonly usedAt: number;
}

/** A file that nobody has written to for so long is closed. */
const idleFileMs = 60_000;

const ending = '.jsonl';

/** Brings the index to what is in the folder: only files that were being written to have to be read for that. */
async function catchUp(index: HeadIndex, folder: string): Promise<void> {
  const names = await readdir(folder);
  const sessionIds = new Set(
    names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length)),
  );
  for (const sessionId of index.entries.keys()) {
    if (!sessionIds.has(sessionId)) index.delete(sessionId);
  }
  for (const sessionId of sessionIds) {
    if (index.entries.get(sessionId)?.isOpen === false) continue;
    const file = path.join(folder, `${sessionId}${ending}`);
    const found = await readHead(file);
    if (found === undefined) {
      index.delete(sessionId);
      // It could not be begun: the disk was full.
      if ((await stat(file)).size === 0) await rm(file);
    } else index.set(sessionId, { ...found, isOpen: false });
  }
}

/** The last head in a file; nothing if the file is none of a session, or nothing is in it yet. */
async function readHead(file: string): Promise<{ readonly head: unknown } | undefined> {
  let found: { readonly head: unknown } | undefined;
  try {
    await readLog(file, {
      format: recordFormat,
      wants: (json) => json.startsWith('{"head":') || found === undefined,
      read: (line) => {
        const head = typeof line === 'object' && line !== null && 'head' in line ? line.head : found?.head;
        found = { head };
      },
    });
  } catch (error) {
    // Whoever asks for the session itself hears what is wrong with it.
    if (!(error instanceof WorkspaceError)) throw error;
  }
  return found;
}

function recordsOf(line: unknown): readonly unknown[] {
  return typeof line === 'object' && line !== null && 'records' in line && Array.isArray(line.records)
    ? line.records
    : [];
}

/** Names that are those of files everywhere, and lead nowhere else. */
function isSessionId(text: string): boolean {
  return /^[\w-]{1,128}$/u.test(text);
}
