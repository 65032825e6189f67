import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  isEventLogKey,
  eventLogFile,
  eventLogWriter,
  readEventLogHead,
  readEventLog,
  readNotes,
  removeUnbegun,
  SessionOutline,
  type EventLogHead,
  type SessionNotes,
} from '@parley/host';
import type { HubSession } from '@parley/host/hub';

/** A session as its event log tells it, without an agent of ours. */
export interface StoredSession {
  readonly key: string;
  readonly folder: string;
  readonly agent: string;
  readonly cwd: string;
  /** The id of the token that it belongs to. @default it belongs to `admin` only */
  readonly owner?: string;
  /** It was begun over AAP. */
  readonly origin?: 'aap';
  readonly title?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Another program has it open. */
  readonly isElsewhere: boolean;
  readonly notes: SessionNotes;
}

interface Entry {
  readonly head: EventLogHead;
  /** Of the event log's file, when its title was looked for. */
  titledBytes: number;
  bytes: number;
  /** When a file last came into its folder or went, while nobody held the event log; undefined when it has to be looked at. */
  quietSince: number | undefined;
  session: StoredSession;
}

/** The sessions that have an event log, whoever keeps it. What was read once is read again only when it has changed. */
export class StoredSessions {
  readonly #directory: string;
  readonly #entries = new Map<string, Entry>();
  /** Folders without an event log that can be read, with what they looked like then. */
  readonly #unreadable = new Map<string, string>();
  readonly #onChange: (key: string) => void;
  #looking: Promise<void> | undefined;
  #glancing: Promise<void> | undefined;
  #turn = 0;
  #titling: Promise<void> = Promise.resolve();

  /** @param onChange Told of each session that is new, has changed, or is gone. */
  constructor(directory: string, onChange: (key: string) => void) {
    this.#directory = directory;
    this.#onChange = onChange;
  }

  get all(): readonly StoredSession[] {
    return Array.from(this.#entries.values(), ({ session }) => session);
  }

  /** The one that was written last comes first. */
  get heads(): readonly EventLogHead[] {
    return Array.from(this.#entries.values(), ({ head, session: { updatedAt } }) => ({
      ...head,
      updatedAt,
    })).toSorted((left, right) => right.updatedAt - left.updatedAt);
  }

  get(key: string): StoredSession | undefined {
    return this.#entries.get(key)?.session;
  }

  /** Looks what there is now. Titles of sessions that nobody has read yet follow by themselves. */
  async look(): Promise<void> {
    // A glance sees less.
    await this.#glancing;
    this.#looking ??= this.#lookThrough().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Looks what has changed since, at sessions in which nothing happened lately by turns. Never rejects. */
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

  /** Looks at one session. Undefined when there is none. */
  async find(key: string): Promise<StoredSession | undefined> {
    if (!isEventLogKey(key)) return undefined;
    await this.#lookAt(key);
    return this.get(key);
  }

  remove(key: string): void {
    this.#entries.delete(key);
  }

  /** Settles when titles have been looked for. */
  async settled(): Promise<void> {
    await this.#glancing;
    await this.#looking;
    await this.#titling;
  }

  async #lookThrough(isDue: (key: string, index: number) => boolean = () => true): Promise<void> {
    const names = (await namesIn(this.#directory)).filter(isEventLogKey);
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
    const folder = path.join(this.#directory, key);
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
      const holder = await eventLogWriter(folder);
      const isElsewhere = holder !== undefined && holder.pid !== process.pid;
      const quietSince = holder === undefined && isSettled ? changedAt : undefined;
      const updatedAt = Math.floor(mtimeMs);
      if (known === undefined) {
        const head = await readEventLogHead(folder);
        if (head === undefined) {
          this.#unreadable.set(key, looks);
          return;
        }
        this.#unreadable.delete(key);
        const { agent, cwd, owner, origin } = head.start;
        const notes = await readNotes(folder);
        const session = {
          key,
          folder,
          agent,
          cwd,
          ...(owner !== undefined && { owner: owner.tokenId }),
          ...(origin !== undefined && { origin }),
          createdAt: head.start.time,
          updatedAt,
          isElsewhere,
          notes,
        };
        this.#entries.set(key, { head, bytes: size, titledBytes: 0, quietSince, session });
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
      const title = await titleIn(entry.session.folder, entry.bytes);
      if (title === undefined || title === entry.session.title) continue;
      entry.session = { ...entry.session, title };
      this.#onChange(entry.session.key);
    }
  }
}

/** A session that no agent of ours has, as lists show it. */
export function shownAsKept({
  key,
  agent,
  cwd,
  origin,
  title,
  createdAt,
  updatedAt,
  isElsewhere,
  notes,
}: StoredSession): HubSession {
  const name = notes.title ?? title;
  return {
    key,
    agent,
    cwd,
    ...(origin !== undefined && { origin }),
    ...(name !== undefined && { title: name }),
    state: isElsewhere ? 'elsewhere' : 'kept',
    createdAt,
    updatedAt,
    questions: 0,
    queue: notes.queue,
    ...(notes.queue.length > 0 && { isQueueHeld: true }),
  };
}

const lookedAtTogether = 32;

/** Sessions whose event log was begun or taken up in this time may be again, by another program. */
const latelyMs = 24 * 60 * 60 * 1000;

/** With how many glances all others are looked at: at one in five seconds, within a minute. */
const turns = 12;

/** Two changes that are closer to each other may have the same time, as coarse as file systems tell it. */
const settledMs = 2500;

/** Event logs that are longer are read only until they say how they began: what the agent called them later is not found. */
const wholeTitleBytes = 4 * 1024 * 1024;

async function titleIn(folder: string, bytes: number): Promise<string | undefined> {
  const outline = new SessionOutline();
  const enough = new Error('enough');
  try {
    await readEventLog(
      folder,
      (event) => {
        outline.take(event);
        if (bytes > wholeTitleBytes && outline.title !== undefined) throw enough;
      },
      { wants: maySayTitle },
    );
  } catch {
    // What could be read counts.
  }
  return outline.title;
}

/** Most of what an event log holds need not be parsed. */
function maySayTitle(json: string): boolean {
  return json.includes('"type":"turn-start"') || json.includes('session_info_update');
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch {
    // Nothing was ever kept.
    return [];
  }
}
