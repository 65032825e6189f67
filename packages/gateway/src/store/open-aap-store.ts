import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { AppendOptions, SessionStore } from '@parley/aap/server';
import { filesStore, isSessionKey, SharedEventLogs, type SessionStore as Sessions } from '@parley/host';
import { takeLock, WorkspaceError } from '@parley/workspace';
import { GatewayError } from '../gateway-error.ts';
import { CallTexts, mayBeReferredTo } from './call-texts.ts';
import { convertStore, type ConvertStoreOptions } from './convert-store.ts';
import { type HeadIndex, openHeadIndex } from './head-index.ts';
import { mayHoldRecords, recordsIn } from './logged-records.ts';
import { SessionLog } from './session-log.ts';
import { toStart } from './to-start.ts';

/** How a store behaves. */
export interface AapStoreOptions extends Partial<Pick<ConvertStoreOptions, 'ownerOf'>> {
  /** The event logs of all sessions, those of applications among them. @default in the store's own folder */
  readonly eventLogs?: SharedEventLogs;
  /** Where sessions work that do not say it. @default '/' */
  readonly cwd?: string;
  /** Event logs that are open at once; the one that was used longest ago is closed for another. @default 1024 */
  readonly openFiles?: number;
}

/** A store of AAP sessions. */
export interface AapStore extends SessionStore {
  /** How many sessions were converted that the version before had stored. */
  readonly converted: number;
  /** Whether what lists show of a session has changed since the store was opened. */
  wasChanged(sessionId: string): boolean;
  /** Calls with each session that is new, of which lists show something else, or that is gone. Returns what ends that. */
  listen(listener: (sessionId: string) => void): () => void;
}

/**
 * Stores AAP sessions in the event logs of sessions, where they outlive their process and the machine's power. An index in
 * the folder has what lists show. One process at a time may use a folder.
 *
 * @throws {GatewayError} `store-in-use`: another process has it.
 */
export async function openAapStore(folder: string, options: AapStoreOptions = {}): Promise<AapStore> {
  const {
    eventLogs = new SharedEventLogs({ store: filesStore(path.join(folder, 'sessions')), program: 'parley' }),
    cwd = '/',
    openFiles = 1024,
    ownerOf = (owner) => owner,
  } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(eventLogs.store.directory, { recursive: true, mode: 0o700 });
  const lock = await takeLock(path.join(folder, 'lock'));
  if (!lock.isTaken) {
    const message = `open the store ${JSON.stringify(folder)}: process ${String(lock.holder.pid)} uses it`;
    throw new GatewayError('store-in-use', message);
  }
  try {
    const index = await openHeadIndex(folder);
    const converted = await convertStore(path.join(folder, 'sessions'), {
      eventLogs,
      cwd,
      ownerOf,
      onConverted: (sessionId, head) => {
        index.set(sessionId, { head, isOpen: false });
      },
    });
    await catchUp(index, eventLogs);
    return new EventLogStore({ index, eventLogs, cwd, openFiles, converted, release: lock.release });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface EventLogStoreParts {
  readonly index: HeadIndex;
  readonly eventLogs: SharedEventLogs;
  readonly cwd: string;
  readonly openFiles: number;
  readonly converted: number;
  readonly release: () => Promise<void>;
}

class EventLogStore implements AapStore {
  readonly #parts: EventLogStoreParts;
  /** Those that may be open, the one used last at the end. */
  readonly #files = new Map<string, UsedFile>();
  readonly #changed = new Set<string>();
  readonly #listeners = new Set<(sessionId: string) => void>();
  #closing: Promise<void> | undefined;

  constructor(parts: EventLogStoreParts) {
    this.#parts = parts;
  }

  get converted(): number {
    return this.#parts.converted;
  }

  wasChanged(sessionId: string): boolean {
    return this.#changed.has(sessionId);
  }

  listen(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async *list(): ReturnType<SessionStore['list']> {
    for (const [sessionId, { head }] of this.#parts.index.entries) yield { sessionId, head };
  }

  head(sessionId: string): unknown {
    return this.#parts.index.entries.get(sessionId)?.head;
  }

  async read(sessionId: string, take: (record: unknown) => void | Promise<void>): Promise<boolean> {
    if (!isSessionKey(sessionId)) return false;
    await this.#files.get(sessionId)?.log.settled();
    let exists = false;
    const texts = new CallTexts();
    try {
      await this.#parts.eventLogs.store.read(
        sessionId,
        async (event) => {
          exists ||= event.type === 'aap';
          texts.note(event);
          for (const record of recordsIn(event)) await take(texts.restore(record));
        },
        { wants: (json) => mayHoldRecords(json) || mayBeReferredTo(json) },
      );
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
    const { index, eventLogs } = this.#parts;
    if (!isSessionKey(sessionId)) return;
    const used = this.#files.get(sessionId);
    this.#files.delete(sessionId);
    // It goes anyway, whether all of it could be written or not.
    await used?.log.close().catch(() => undefined);
    await eventLogs.remove(sessionId);
    index.delete(sessionId);
    this.#notify(sessionId);
    this.#changed.delete(sessionId);
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
    if (!isSessionKey(sessionId)) {
      const message = `append to session ${JSON.stringify(sessionId)}: no file has such a name`;
      throw new GatewayError('invalid-session', message);
    }
    const log = this.#use(sessionId, head);
    const stored = (): void => {
      if (head === undefined) return;
      this.#parts.index.set(sessionId, { head, isOpen: true });
      this.#notify(sessionId);
    };
    const writing = log.append({ ...(head !== undefined && { head }), records }, durable);
    if (writing === undefined) return stored();
    return writing.then(stored, async (error: unknown) => {
      // Of a session that could not be begun nothing is left.
      if (!log.hasLines && head !== undefined && !this.#parts.index.entries.has(sessionId)) {
        await this.remove(sessionId).catch(() => undefined);
      }
      throw error;
    });
  }

  #notify(sessionId: string): void {
    this.#changed.add(sessionId);
    for (const listener of this.#listeners) listener(sessionId);
  }

  #use(sessionId: string, head: unknown): SessionLog {
    const { log } = this.#files.get(sessionId) ?? { log: this.#createLog(sessionId, head) };
    this.#files.delete(sessionId);
    this.#makeRoom();
    this.#files.set(sessionId, { log, usedAt: performance.now() });
    return log;
  }

  #createLog(sessionId: string, head: unknown): SessionLog {
    const { index, eventLogs, cwd } = this.#parts;
    return new SessionLog({
      open: async (onStored) => {
        const known = index.entries.get(sessionId)?.head;
        index.set(sessionId, { head: known, isOpen: true });
        await index.sync();
        return eventLogs.use(sessionId, { start: toStart(head ?? known, cwd), onStored });
      },
    });
  }

  /** Without a timer: an idle one is closed when another is opened. */
  #makeRoom(): void {
    const oldest = performance.now() - idleFileMs;
    for (const [sessionId, { log, usedAt }] of this.#files) {
      if (this.#files.size < this.#parts.openFiles && usedAt >= oldest) return;
      if (!log.isIdle) continue;
      this.#shut(sessionId).catch(() => {
        // After the next start it counts as one that was being written to.
      });
    }
  }

  async #shut(sessionId: string): Promise<void> {
    const { index } = this.#parts;
    const used = this.#files.get(sessionId);
    this.#files.delete(sessionId);
    await used?.log.close();
    const entry = index.entries.get(sessionId);
    if (entry !== undefined && !this.#files.has(sessionId)) index.set(sessionId, { ...entry, isOpen: false });
  }
}

interface UsedFile {
  readonly log: SessionLog;
  readonly usedAt: number;
}

/** An event log that nothing was written to for so long is closed. */
const idleFileMs = 60_000;

/** Brings the index to what is stored: only event logs that were being written to have to be read for that. */
async function catchUp(index: HeadIndex, eventLogs: SharedEventLogs): Promise<void> {
  const keys = new Set((await readdir(eventLogs.store.directory)).filter(isSessionKey));
  const isNew = index.entries.size === 0;
  for (const sessionId of index.entries.keys()) {
    if (!keys.has(sessionId)) index.delete(sessionId);
  }
  for (const sessionId of isNew ? keys : [...index.entries.keys()]) {
    if (index.entries.get(sessionId)?.isOpen === false) continue;
    const found = await readHead(eventLogs.store, sessionId);
    if (found === undefined) index.delete(sessionId);
    else index.set(sessionId, { ...found, isOpen: false });
  }
}

/** The last head in an event log; nothing if it is none of an AAP session, or nothing is in it yet. */
async function readHead(store: Sessions, sessionId: string): Promise<{ readonly head: unknown } | undefined> {
  let found: { readonly head: unknown } | undefined;
  try {
    const log = await store.head(sessionId);
    if (log?.start.origin !== 'aap') return undefined;
    await store.read(
      sessionId,
      (event) => {
        if (event.type !== 'aap') return;
        found = 'head' in event ? { head: event.head } : (found ?? { head: undefined });
      },
      {
        wants: (json) =>
          json.includes('"type":"aap","head":') || (found === undefined && mayHoldRecords(json)),
      },
    );
  } catch (error) {
    // Who asks for the session itself learns what is wrong with it.
    if (!(error instanceof WorkspaceError)) throw error;
  }
  return found;
}
