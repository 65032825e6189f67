import { setTimeout as delay } from 'node:timers/promises';
import type { SharedElsewhere, SharedSession } from '@parley/host';
import type { Sql } from 'postgres';
import { within } from '../within.ts';
import type { Notices } from './notices.ts';

/** How long changes gather before they are stored together. */
const gatherMs = 20;
/** Sessions in one statement: a notification names them all. */
const mostSessions = 64;
/** Pause before what could not be stored is stored again. */
const retryMs = 500;
/** How long the last changes may take when the process ends. */
const lastChangesMs = 500;

/** Where they are stored. */
export interface SharedSessionsOptions {
  readonly sql: Sql;
  /** The id of this replica. */
  readonly owner: string;
  readonly notices: Notices;
}

/** What each replica shows of its sessions to the clients of the others: lists and open questions, without reading events. */
export class SharedSessions {
  readonly #options: SharedSessionsOptions;
  /** Of other replicas. */
  readonly #all = new Map<string, SharedElsewhere>();
  /** What has to be stored. */
  readonly #changed = new Map<string, SharedSession | undefined>();
  /** Rows of this replica, as stored; an empty text where that is not certain. */
  readonly #stored = new Map<string, string>();
  #storing: Promise<void> | undefined;
  #isEnding = false;
  #onChange: (key: string) => void = () => {};

  constructor(options: SharedSessionsOptions) {
    this.#options = options;
  }

  get all(): ReadonlyMap<string, SharedElsewhere> {
    return this.#all;
  }

  serve(onChange: (key: string) => void): void {
    this.#onChange = onChange;
  }

  /** @param shared Undefined when it is not shown any more; most sessions never were. */
  share(key: string, shared: SharedSession | undefined): void {
    if (shared === undefined && !this.#stored.has(key) && !this.#changed.has(key)) return;
    this.#changed.set(key, shared);
    this.#storing ??= this.#storeAll();
  }

  /** Settles when all changes are stored, or after a while. What cannot be stored is not stored again. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await within(lastChangesMs, [this.#storing]);
  }

  /** @param keys @default all */
  async read(keys: readonly string[] | undefined): Promise<void> {
    const { sql, owner } = this.#options;
    const rows = await sql`
      select h.key, h.session, h.questions, r.name
      from parley.shared h
      join parley.sessions s on s.key = h.key and s.owner = h.replica
      join parley.replicas r on r.id = h.replica and r.alive_until > clock_timestamp()
      where h.replica <> ${owner} and ${keys === undefined ? sql`true` : sql`h.key = any(${[...keys]})`}`;
    const found = new Set<string>();
    for (const row of rows) {
      const key = String(row['key']);
      const shared = toShared(row);
      if (shared === undefined) continue;
      found.add(key);
      this.#all.set(key, shared);
      this.#onChange(key);
    }
    for (const key of keys ?? [...this.#all.keys()]) {
      if (!found.has(key) && this.#all.delete(key)) this.#onChange(key);
    }
  }

  /** Never rejects. */
  async #storeAll(): Promise<void> {
    let pauseMs = gatherMs;
    while (this.#changed.size > 0) {
      await delay(pauseMs);
      const part = [...this.#changed].slice(0, mostSessions);
      for (const [key] of part) this.#changed.delete(key);
      try {
        await this.#store(part);
        pauseMs = gatherMs;
      } catch {
        // The database cannot be reached: other replicas show what they know meanwhile.
        if (this.#isEnding) break;
        for (const [key, shared] of part) if (!this.#changed.has(key)) this.#changed.set(key, shared);
        pauseMs = retryMs;
      }
    }
    // In the same step in which nothing was left: what is shared from now on begins anew.
    this.#storing = undefined;
  }

  async #store(part: readonly (readonly [string, SharedSession | undefined])[]): Promise<void> {
    const { sql, owner, notices } = this.#options;
    const rows = part.flatMap(([key, shared]) =>
      shared === undefined
        ? []
        : [{ key, session: JSON.stringify(shared.session), questions: JSON.stringify(shared.questions) }],
    );
    const fresh = rows.filter(({ key, session, questions }) => this.#stored.get(key) !== session + questions);
    const gone = part.flatMap(([key, shared]) =>
      shared === undefined && this.#stored.has(key) ? [key] : [],
    );
    const stored = new Set<string>();
    if (fresh.length > 0) {
      for (const { key } of fresh) this.#stored.set(key, '');
      const column = (name: 'key' | 'session' | 'questions'): string[] => fresh.map((row) => row[name]);
      // A process that was frozen may not know yet that its session has another owner, which shows it now.
      const written = await sql`
        insert into parley.shared (key, replica, session, questions)
        select t.key, ${owner}::uuid, t.session, t.questions
        from unnest(${column('key')}::text[], ${column('session')}::text[], ${column('questions')}::text[]) as t (key, session, questions)
        where not exists (select from parley.sessions s where s.key = t.key and s.owner is distinct from ${owner}::uuid)
        on conflict (key) do update set replica = excluded.replica, session = excluded.session, questions = excluded.questions
        returning key`;
      for (const row of written) stored.add(String(row['key']));
    }
    if (gone.length > 0) {
      await sql`delete from parley.shared where key = any(${gone}) and replica = ${owner}`;
    }
    const keys = [...stored, ...gone];
    if (keys.length > 0) await notices.send('shared', keys.join(','));
    // Until the others are woken, it is stored again.
    for (const { key, session, questions } of fresh) {
      if (stored.has(key)) this.#stored.set(key, session + questions);
    }
    for (const key of gone) this.#stored.delete(key);
  }
}

/** A row as `#store` wrote it. */
function toShared({
  session,
  questions,
  name,
}: Readonly<Record<string, unknown>>): SharedElsewhere | undefined {
  const shown: unknown = JSON.parse(String(session));
  const open: unknown = JSON.parse(String(questions));
  if (!isSession(shown) || !isQuestions(open)) return undefined;
  return { session: shown, questions: open, replica: String(name) };
}

function isSession(value: unknown): value is SharedSession['session'] {
  return typeof value === 'object' && value !== null && 'key' in value && 'state' in value;
}

function isQuestions(value: unknown): value is SharedSession['questions'] {
  return Array.isArray(value);
}
