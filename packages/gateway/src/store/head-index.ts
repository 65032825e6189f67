import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Log, openLog } from '@parley/workspace';

/** What the index knows of a session. */
export interface IndexEntry {
  readonly head: unknown;
  /** Its file is being written to: after a crash, what that says counts. */
  readonly isOpen: boolean;
}

/** Lines that say nothing any more, besides as many as there are sessions, before the index is written anew. */
export const mostStaleLines = 10_000;

/**
 * The heads of all sessions, in memory and in one file, so that a list reads no session. It is a copy only: the files of the
 * sessions are what counts.
 */
export class HeadIndex implements AsyncDisposable {
  readonly #file: string;
  readonly #entries: Map<string, IndexEntry>;
  #log: Log;
  #lines: number;
  /** Sessions that have changed since the index began to be written anew. */
  #changed = new Set<string>();
  #rewriting: Promise<void> | undefined;
  #isBroken = false;

  constructor(log: Log, { entries, lines }: ReadIndex) {
    this.#file = log.path;
    this.#log = log;
    this.#entries = entries;
    this.#lines = lines;
  }

  get entries(): ReadonlyMap<string, IndexEntry> {
    return this.#entries;
  }

  set(sessionId: string, entry: IndexEntry): void {
    this.#entries.set(sessionId, entry);
    this.#write(sessionId);
  }

  delete(sessionId: string): void {
    if (this.#entries.delete(sessionId)) this.#write(sessionId);
  }

  /** Settles when all is on the disk. */
  async sync(): Promise<void> {
    // Lines that could not even wait are written with all others.
    await (this.#isBroken ? this.#rewrite() : this.#log.sync());
  }

  async close(): Promise<void> {
    await this.sync();
    await this.#log.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #write(sessionId: string): void {
    this.#changed.add(sessionId);
    this.#lines += 1;
    try {
      this.#log.append(toLine(sessionId, this.#entries.get(sessionId)));
    } catch {
      this.#isBroken = true;
    }
    if (this.#lines > 2 * this.#entries.size + mostStaleLines) {
      this.#rewrite().catch(() => {
        // The old one goes on, or the next sync fails.
      });
    }
  }

  #rewrite(): Promise<void> {
    this.#rewriting ??= this.#writeAnew().finally(() => {
      this.#rewriting = undefined;
    });
    return this.#rewriting;
  }

  async #writeAnew(): Promise<void> {
    const file = `${this.#file}.new`;
    await rm(file, { force: true });
    const next = await openLog(file, { format });
    try {
      this.#changed = new Set();
      for (const [sessionId, entry] of this.#entries) next.append(toLine(sessionId, entry));
      this.#lines = this.#entries.size;
      await next.sync();
      await rename(file, this.#file);
    } catch (error) {
      await succeeds(next.close());
      await rm(file, { force: true });
      throw error;
    }
    for (const sessionId of this.#changed) next.append(toLine(sessionId, this.#entries.get(sessionId)));
    const old = this.#log;
    this.#log = next;
    this.#isBroken = false;
    await succeeds(old.close());
    await next.sync();
  }
}

/** Reads the index of a folder. One that is damaged is begun anew: then nothing is known of any session. */
export async function openHeadIndex(folder: string): Promise<HeadIndex> {
  const file = path.join(folder, 'heads.jsonl');
  const found: ReadIndex = { entries: new Map(), lines: 0 };
  try {
    return new HeadIndex(await openLog(file, { format, read: (line) => readLine(line, found) }), found);
  } catch {
    await rm(file, { force: true });
    return new HeadIndex(await openLog(file, { format }), { entries: new Map(), lines: 0 });
  }
}

const format = { name: 'aap-heads', version: 1 } as const;

interface ReadIndex {
  readonly entries: Map<string, IndexEntry>;
  lines: number;
}

function toLine(id: string, entry: IndexEntry | undefined): object {
  return entry === undefined ? { id } : { id, open: entry.isOpen, head: entry.head };
}

function readLine(line: unknown, found: ReadIndex): void {
  found.lines += 1;
  if (typeof line !== 'object' || line === null || !('id' in line) || typeof line.id !== 'string') return;
  if (!('open' in line)) {
    found.entries.delete(line.id);
    return;
  }
  found.entries.set(line.id, { isOpen: line.open === true, head: 'head' in line ? line.head : undefined });
}

function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
