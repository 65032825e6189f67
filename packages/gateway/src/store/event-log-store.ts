import type { AppendOptions, AapSessionStore } from '@parley/aap/server';
import { isSessionKey, type SharedEventLogs } from '@parley/host';
import { WorkspaceError } from '@parley/workspace';
import { GatewayError } from '../gateway-error.ts';
import type { AapStore } from './aap-store.ts';
import type { ApplicationHeads } from './application-heads.ts';
import { CallTexts, mayBeReferredTo } from './call-texts.ts';
import { mayHoldRecords, recordsIn } from './logged-records.ts';
import { SessionLog } from './session-log.ts';
import { toStart } from './to-start.ts';

/** What a store of AAP sessions in event logs is made of. */
export interface EventLogStoreParts {
  readonly index: ApplicationHeads;
  readonly eventLogs: SharedEventLogs;
  /** The directory of sessions without one. */
  readonly cwd: string;
  /** Event logs that are open at the same time; beyond that, the least recently used one is closed. */
  readonly openFiles: number;
  /** Number of sessions that were converted from the previous version. */
  readonly converted: number;
  readonly release: () => Promise<void>;
  /** @default no other process creates sessions */
  readonly createAlone?: (create: () => Promise<string>) => Promise<string>;
}

/** Stores AAP sessions in the event logs of sessions. */
export class EventLogStore implements AapStore {
  readonly createAlone?: (create: () => Promise<string>) => Promise<string>;
  readonly #parts: EventLogStoreParts;
  /** Those that may be open, the one used last at the end. */
  readonly #files = new Map<string, UsedFile>();
  readonly #changed = new Set<string>();
  readonly #listeners = new Set<(sessionId: string) => void>();
  #closing: Promise<void> | undefined;

  constructor(parts: EventLogStoreParts) {
    this.#parts = parts;
    if (parts.createAlone !== undefined) this.createAlone = parts.createAlone;
  }

  get converted(): number {
    return this.#parts.converted;
  }

  wasChanged(sessionId: string): boolean {
    return this.#changed.has(sessionId) || this.#parts.index.isElsewhere(sessionId);
  }

  listen(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  isElsewhere(sessionId: string): boolean {
    return this.#parts.index.isElsewhere(sessionId);
  }

  async *list(): ReturnType<AapSessionStore['list']> {
    await this.#parts.index.refresh?.();
    yield* this.#parts.index.all();
  }

  head(sessionId: string): unknown {
    return this.#parts.index.get(sessionId)?.head;
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

  lose(sessionId: string): void {
    const used = this.#files.get(sessionId);
    this.#files.delete(sessionId);
    this.#parts.index.lose?.(sessionId);
    // What could not be stored by now was rejected.
    used?.log.close().catch(() => undefined);
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
      if (!log.hasLines && head !== undefined && this.#parts.index.get(sessionId) === undefined) {
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
        const known = index.get(sessionId)?.head;
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
    const entry = index.get(sessionId);
    if (entry !== undefined && !this.#files.has(sessionId)) index.set(sessionId, { ...entry, isOpen: false });
  }
}

interface UsedFile {
  readonly log: SessionLog;
  readonly usedAt: number;
}

/** Idle time after which an event log is closed. */
const idleFileMs = 60_000;
