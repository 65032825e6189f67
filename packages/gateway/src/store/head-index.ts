import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Log, openLog } from '@parley/workspace';
import type { ApplicationHeads, IndexEntry } from './application-heads.ts';

/** Obsolete lines, in addition to the number of sessions, before the index is rewritten. */
export const mostStaleLines = 10_000;

/**
 * The heads of all sessions, in memory and in one file, so that a list reads no session. It is a copy only: the files of the
 * sessions are what counts.
 */
export class HeadIndex implements ApplicationHeads, AsyncDisposable {
  readonly #file: string;
  readonly #entries: Map<string, IndexEntry>;
  #log: Log;
  #lines: number;
  /** Sessions that changed after the index started to be rewritten. */
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

  *all(): Iterable<{ readonly sessionId: string; readonly head: unknown }> {
    for (const [sessionId, { head }] of this.#entries) yield { sessionId, head };
  }

  get(sessionId: string): IndexEntry | undefined {
    return this.#entries.get(sessionId);
  }

  /** Only this process writes to sessions of the index. */
  isElsewhere(): boolean {
    return false;
  }

  set(sessionId: string, entry: IndexEntry): void {
    this.#entries.set(sessionId, entry);
    this.#write(sessionId);
  }

  delete(sessionId: string): void {
    if (this.#entries.delete(sessionId)) this.#write(sessionId);
  }

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
        // The old index remains in use, or the next sync fails.
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

/** Reads the index of a folder. A damaged index is discarded: no session is then known. */
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
