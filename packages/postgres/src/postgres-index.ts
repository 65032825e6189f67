import type { IndexedSession, SessionIndex } from '@parley/host';
import type { Sql } from 'postgres';
import { toHead } from './records/heads.ts';
import type { WakeUps } from './wake-ups.ts';
import { whenReachable } from './when-reachable.ts';

/** What an index needs of its store. */
export interface PostgresIndexOptions {
  readonly sql: Sql;
  readonly ready: () => Promise<void>;
  readonly wakeUps: WakeUps;
  /** Whether an owner is this process. */
  readonly isOwn: (owner: string) => boolean;
  readonly onChange: (key: string) => void;
}

/** How long notifications gather before the sessions are read that they name. */
const gatherMs = 100;

/** The sessions of a database. Notifications say which ones to look at. */
export class PostgresIndex implements SessionIndex {
  readonly #options: PostgresIndexOptions;
  readonly #sessions = new Map<string, IndexedSession>();
  /** Those that were named since the last look. */
  #changed = new Set<string>();
  #mayAllHaveChanged = true;
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PostgresIndexOptions) {
    this.#options = options;
    options.wakeUps.watchAll((keys) => {
      if (keys === undefined) this.#mayAllHaveChanged = true;
      else for (const key of keys) this.#changed.add(key);
      this.#lookSoon();
    });
  }

  get all(): readonly IndexedSession[] {
    return [...this.#sessions.values()];
  }

  get(key: string): IndexedSession | undefined {
    return this.#sessions.get(key);
  }

  look(): Promise<void> {
    this.#mayAllHaveChanged = true;
    return whenReachable(() => this.#look());
  }

  glance(): Promise<void> {
    return this.#look().catch(() => undefined);
  }

  async find(key: string): Promise<IndexedSession | undefined> {
    await whenReachable(() => this.#read([key]));
    return this.get(key);
  }

  remove(key: string): void {
    this.#sessions.delete(key);
  }

  async settled(): Promise<void> {
    await this.#looking.catch(() => undefined);
  }

  /** Changes that come in quick succession are read at once. */
  #lookSoon(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      void this.glance().finally(() => {
        this.#timer = undefined;
        if (this.#changed.size > 0) this.#lookSoon();
      });
    }, gatherMs).unref();
  }

  #look(): Promise<void> {
    this.#looking = this.#looking.catch(() => undefined).then(() => this.#lookNow());
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    const isAll = this.#mayAllHaveChanged;
    const keys = [...this.#changed];
    this.#mayAllHaveChanged = false;
    this.#changed = new Set();
    try {
      if (isAll) await this.#read(undefined);
      else if (keys.length > 0) await this.#read(keys);
    } catch (error) {
      this.#mayAllHaveChanged ||= isAll;
      for (const key of keys) this.#changed.add(key);
      throw error;
    }
  }

  /** @param keys @default all sessions */
  async #read(keys: readonly string[] | undefined): Promise<void> {
    const { sql, ready, isOwn, onChange } = this.#options;
    await ready();
    const rows = await sql`
      select s.key, s.start, s.session_id, s.updated_at, s.title, s.columns, s.application_head, r.id as owner
      from parley.sessions s
      left join parley.replicas r on r.id = s.owner and r.alive_until > clock_timestamp()
      where s.start is not null and ${keys === undefined ? sql`true` : sql`s.key = any(${[...keys]})`}`;
    const found = new Set<string>();
    for (const row of rows) {
      const head = toHead(row);
      found.add(head.key);
      const owner: unknown = row['owner'];
      const title: unknown = row['title'];
      const applicationHead = toJson(row['application_head']);
      const session: IndexedSession = {
        key: head.key,
        head,
        updatedAt: head.updatedAt,
        isElsewhere: typeof owner === 'string' && !isOwn(owner),
        columns: columnsOf(row['columns']),
        ...(typeof title === 'string' && { title }),
        ...(applicationHead !== undefined && { applicationHead }),
      };
      const known = this.#sessions.get(head.key);
      this.#sessions.set(head.key, session);
      if (known === undefined || !isSame(known, session)) onChange(head.key);
    }
    for (const key of keys ?? [...this.#sessions.keys()]) {
      if (!found.has(key) && this.#sessions.delete(key)) onChange(key);
    }
  }
}

function isSame(one: IndexedSession, other: IndexedSession): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function columnsOf(text: unknown): IndexedSession['columns'] {
  const value = toJson(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Undefined for what is none. */
function toJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
