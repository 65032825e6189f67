import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { reduceFacts } from '../../state/reduce-facts.ts';
import { noFacts, titleOf } from '../../state/session-facts.ts';
import type { IndexedSession, SessionIndex } from '../session-index.ts';
import { isSessionKey } from '../session-key.ts';
import type { SessionStore } from '../session-store.ts';
import { mayChangeTitle } from '../wanted-events.ts';
import { eventLogFile, ownerIn, readEventLog } from './event-log-file.ts';
import { removeUnbegun } from './remove-leftovers.ts';

/** The index of a store of files: it looks at times and sizes first. */
export function createFileSessionIndex(
  store: SessionStore & { readonly directory: string },
  onChange: (key: string) => void,
): SessionIndex {
  return new FileSessionIndex(store, onChange);
}

interface Entry {
  /** Size of the event log's file when its title was last read. */
  titledBytes: number;
  bytes: number;
  /**
   * Time of the last file created or removed in its folder while no process held the event log; undefined if the
   * folder has to be read.
   */
  quietSince: number | undefined;
  session: IndexedSession;
}

class FileSessionIndex implements SessionIndex {
  readonly #store: SessionStore & { readonly directory: string };
  readonly #entries = new Map<string, Entry>();
  /** Folders without a readable event log, with their state at the last attempt. */
  readonly #unreadable = new Map<string, string>();
  readonly #onChange: (key: string) => void;
  #looking: Promise<void> | undefined;
  #glancing: Promise<void> | undefined;
  #turn = 0;
  #titling: Promise<void> = Promise.resolve();

  constructor(store: SessionStore & { readonly directory: string }, onChange: (key: string) => void) {
    this.#store = store;
    this.#onChange = onChange;
  }

  get all(): readonly IndexedSession[] {
    return Array.from(this.#entries.values(), ({ session }) => session);
  }

  get(key: string): IndexedSession | undefined {
    return this.#entries.get(key)?.session;
  }

  async look(): Promise<void> {
    // A glance sees less.
    await this.#glancing;
    this.#looking ??= this.#lookThrough().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  glance(): Promise<void> {
    this.#turn = (this.#turn + 1) % turns;
    const now = Date.now();
    const isDue = (key: string, index: number): boolean => {
      const { quietSince } = this.#entries.get(key) ?? {};
      return (
        quietSince === undefined || Math.abs(now - quietSince) < latelyMs || index % turns === this.#turn
      );
    };
    this.#glancing ??= this.#lookThrough(isDue).finally(() => {
      this.#glancing = undefined;
    });
    return this.#glancing;
  }

  async find(key: string): Promise<IndexedSession | undefined> {
    if (!isSessionKey(key)) return undefined;
    await this.#lookAt(key);
    return this.get(key);
  }

  remove(key: string): void {
    this.#entries.delete(key);
  }

  async settled(): Promise<void> {
    await this.#glancing;
    await this.#looking;
    await this.#titling;
  }

  async #lookThrough(isDue: (key: string, index: number) => boolean = () => true): Promise<void> {
    const names = (await namesIn(this.#store.directory)).filter(isSessionKey);
    const there = new Set(names);
    const keys = names.filter(isDue);
    for (const key of this.#entries.keys()) {
      if (there.has(key)) continue;
      this.#entries.delete(key);
      this.#onChange(key);
    }
    for (const key of this.#unreadable.keys()) if (!there.has(key)) this.#unreadable.delete(key);
    for (let from = 0; from < keys.length; from += lookedAtTogether) {
      await Promise.all(keys.slice(from, from + lookedAtTogether).map((key) => this.#lookAt(key)));
    }
    this.#titling = this.#titling.then(() => this.#findTitles());
  }

  async #lookAt(key: string): Promise<void> {
    const folder = path.join(this.#store.directory, key);
    const known = this.#entries.get(key);
    try {
      const { mtimeMs: changedAt } = await stat(folder);
      // An event log grows only under its lock, and taking that changes its folder: most sessions need no second look.
      if (known?.quietSince === changedAt) return;
      // A clock that was set back leaves times of files in the future.
      const isSettled = Math.abs(Date.now() - changedAt) > settledMs;
      const { mtimeMs, size } = await stat(eventLogFile(folder));
      const looks = [changedAt, mtimeMs, size].join(' ');
      if (known === undefined && this.#unreadable.get(key) === looks) return;
      const owner = await ownerIn(folder);
      const isElsewhere = owner?.isThis === false;
      const quietSince = owner === undefined && isSettled ? changedAt : undefined;
      const updatedAt = Math.floor(mtimeMs);
      if (known === undefined) {
        const head = await this.#store.head(key);
        if (head === undefined) {
          this.#unreadable.set(key, looks);
          return;
        }
        this.#unreadable.delete(key);
        const columns = await this.#store.columns(key);
        const session = { key, head, updatedAt, isElsewhere, columns };
        this.#entries.set(key, { bytes: size, titledBytes: 0, quietSince, session });
        this.#onChange(key);
        return;
      }
      known.bytes = size;
      known.quietSince = quietSince;
      if (known.session.updatedAt === updatedAt && known.session.isElsewhere === isElsewhere) return;
      known.session = { ...known.session, updatedAt, isElsewhere };
      this.#onChange(key);
    } catch {
      // Not an event log, or one that cannot be read: nothing to list. What never became a session goes.
      if (this.#entries.delete(key)) this.#onChange(key);
      await removeUnbegun(folder).catch(() => undefined);
    }
  }

  /** The newest first, one after the other: there may be thousands, and some are long. */
  async #findTitles(): Promise<void> {
    const untitled = [...this.#entries.values()]
      .filter(({ bytes, titledBytes }) => bytes !== titledBytes)
      .toSorted((left, right) => right.session.updatedAt - left.session.updatedAt);
    for (const entry of untitled) {
      entry.titledBytes = entry.bytes;
      const title = await titleIn(path.join(this.#store.directory, entry.session.key), entry.bytes);
      if (title === undefined || title === entry.session.title) continue;
      entry.session = { ...entry.session, title };
      this.#onChange(entry.session.key);
    }
  }
}

const lookedAtTogether = 32;

/** Age of an event log up to which another program may still write to it. */
const latelyMs = 24 * 60 * 60 * 1000;

/** Number of polls over which all other sessions are checked: with one poll in five seconds, within a minute. */
const turns = 12;

/** Two changes within this time may have the same time stamp on coarse file systems. */
const settledMs = 2500;

/** Larger event logs are read only up to their first prompt; titles that the agent set later are not found. */
const wholeTitleBytes = 4 * 1024 * 1024;

async function titleIn(folder: string, bytes: number): Promise<string | undefined> {
  let facts = noFacts;
  const enough = new Error('enough');
  try {
    await readEventLog(
      folder,
      (event) => {
        facts = reduceFacts(facts, event);
        if (bytes > wholeTitleBytes && titleOf(facts) !== undefined) throw enough;
      },
      { wants: mayChangeTitle },
    );
  } catch {
    // What could be read counts.
  }
  return titleOf(facts);
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch {
    // Nothing was ever kept.
    return [];
  }
}
