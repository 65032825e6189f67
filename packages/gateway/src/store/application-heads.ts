import type { SessionIndex, SessionStore } from '@parley/host';

/** What an index knows of an AAP session. */
export interface IndexEntry {
  readonly head: unknown;
  /** Its event log is being written to: after a crash, what that says counts. */
  readonly isOpen: boolean;
}

/** The heads of all AAP sessions, in memory, so that a list reads no session. */
export interface ApplicationHeads {
  /** Settles when what other processes announced by now is read. Never rejects. @default no other process can */
  refresh?(): Promise<void>;
  all(): Iterable<{ readonly sessionId: string; readonly head: unknown }>;
  get(sessionId: string): IndexEntry | undefined;
  set(sessionId: string, entry: IndexEntry): void;
  delete(sessionId: string): void;
  /** What was set here is outdated: another process has stored the session since. @default no other process can */
  lose?(sessionId: string): void;
  /** Whether another process owns the session, and its head is as that process stored it. */
  isElsewhere(sessionId: string): boolean;
  /** Settles when all is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The heads in a store that has them at hand. Those of sessions that are written to here are as this process set them. */
export class SharedHeads implements ApplicationHeads {
  readonly #index: SessionIndex;
  readonly #own = new Map<string, IndexEntry>();

  private constructor(store: SessionStore) {
    this.#index = store.index((key) => {
      if (this.#own.get(key)?.isOpen === false) this.#own.delete(key);
    });
  }

  /** Reads the heads that are stored now. */
  static async open(store: SessionStore): Promise<SharedHeads> {
    const heads = new SharedHeads(store);
    await heads.#index.look();
    return heads;
  }

  refresh(): Promise<void> {
    return this.#index.glance();
  }

  /** Reads the heads that are stored now. @param keys Of which sessions. @default all */
  async read(keys?: readonly string[]): Promise<void> {
    if (keys === undefined) await this.#index.look();
    else for (const key of keys) await this.#index.find(key);
  }

  *all(): Iterable<{ readonly sessionId: string; readonly head: unknown }> {
    for (const { key, applicationHead: head } of this.#index.all) {
      if (head !== undefined && !this.#own.has(key)) yield { sessionId: key, head };
    }
    for (const [sessionId, { head }] of this.#own) yield { sessionId, head };
  }

  get(sessionId: string): IndexEntry | undefined {
    const own = this.#own.get(sessionId);
    if (own !== undefined) return own;
    const head = this.#index.get(sessionId)?.applicationHead;
    return head === undefined ? undefined : { head, isOpen: false };
  }

  set(sessionId: string, entry: IndexEntry): void {
    this.#own.set(sessionId, entry);
  }

  delete(sessionId: string): void {
    this.#own.delete(sessionId);
    this.#index.remove(sessionId);
  }

  lose(sessionId: string): void {
    this.#own.delete(sessionId);
  }

  isElsewhere(sessionId: string): boolean {
    return this.#index.get(sessionId)?.isElsewhere === true;
  }

  /** The event logs have them. */
  sync(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await this.#index.settled();
  }
}
