import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { channel } from '../wake-ups.ts';

/** Records of one session that are stored together. */
export interface Batch {
  readonly key: string;
  /** The number of the lease under which they are stored. */
  readonly fence: bigint;
  readonly records: readonly AppendedRecord[];
  /** What lists show of the session, where it has changed. */
  readonly head: ChangedHead;
}

/** One event, or chunks that share a record. */
export interface AppendedRecord {
  readonly seq: number;
  /** The number of the last event in it. */
  readonly last: number;
  readonly json: string;
}

/** Absent fields stay as they are. */
export interface ChangedHead {
  /** The first event, as JSON. */
  readonly start?: string;
  readonly sessionId?: string;
  readonly title?: string;
  /** The head of a session of an application, as JSON. */
  readonly applicationHead?: string;
}

/** Batches that one statement stored. */
export interface StoredBatches {
  /** The sessions that have new records. */
  readonly keys: readonly string[];
  /** How long the statement took. */
  readonly ms: number;
}

/** What came of a batch. */
export type Outcome = 'stored' | 'lease-lost';

/** Sessions in one statement: their keys are the payload of one notification, which is at most 8,000 bytes. */
const mostSessions = 64;
/** Characters of records in one statement, above which further sessions wait for the next. */
const mostCharacters = 4 * 1024 * 1024;
/** Statements at the same time. */
const mostStatements = 2;

/**
 * Stores the batches of all sessions of a process. Those that wait at the same time go in one statement, which checks the fence
 * of each session: records of a session whose lease was lost are not stored, and the others are.
 */
export class Appender {
  readonly #sql: Sql;
  readonly #onStored: (stored: StoredBatches) => void;
  readonly #waiting: WaitingBatch[] = [];
  #running = 0;

  constructor(sql: Sql, onStored: (stored: StoredBatches) => void) {
    this.#sql = sql;
    this.#onStored = onStored;
  }

  /**
   * Stores a batch. At most one of a session may be on its way. A batch that was stored although its statement failed, because the
   * connection broke then, can be stored again: its records are not stored twice.
   */
  append(batch: Batch): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject });
      this.#run();
    });
  }

  #run(): void {
    while (this.#waiting.length > 0 && this.#running < mostStatements) {
      let characters = 0;
      const count = this.#waiting.findIndex(({ batch }, index) => {
        if (index > 0 && (index >= mostSessions || characters >= mostCharacters)) return true;
        for (const { json } of batch.records) characters += json.length;
        return false;
      });
      const part = this.#waiting.splice(0, count === -1 ? this.#waiting.length : count);
      this.#running += 1;
      void this.#store(part);
    }
  }

  /** Never rejects. */
  async #store(part: readonly WaitingBatch[]): Promise<void> {
    const begun = performance.now();
    try {
      const held = await this.#insert(part.map(({ batch }) => batch));
      this.#onStored({ keys: [...held], ms: performance.now() - begun });
      for (const { batch, resolve } of part) resolve(held.has(batch.key) ? 'stored' : 'lease-lost');
    } catch (error) {
      for (const { reject } of part) reject(error);
      // Each session tries again after a while; a new one does not hit a database that is not there at once.
      await delay(retryPauseMs);
    } finally {
      this.#running -= 1;
      this.#run();
    }
  }

  async #insert(batches: readonly Batch[]): Promise<ReadonlySet<string>> {
    const sessions = batches.map(({ key, fence, records, head }) => ({
      key,
      fence: String(fence),
      last: records.at(-1)?.last ?? 0,
      ...head,
    }));
    const column = <Row>(rows: readonly Row[], valueOf: (row: Row) => string | number | undefined) =>
      rows.map((row) => valueOf(row) ?? null);
    const rows = await this.#sql.unsafe(
      insertion,
      [
        column(sessions, ({ key }) => key),
        column(sessions, ({ fence }) => fence),
        column(sessions, ({ last }) => last),
        column(sessions, ({ start }) => start),
        column(sessions, ({ sessionId }) => sessionId),
        column(sessions, ({ title }) => title),
        column(sessions, ({ applicationHead }) => applicationHead),
        ...recordColumns(batches),
      ],
      { prepare: true },
    );
    return new Set(rows.map((row) => String(row['key'])));
  }
}

/** The sessions, numbers, last numbers and texts of all records, each as one text: the driver would escape each record for an array. */
function recordColumns(batches: readonly Batch[]): readonly string[] {
  const sessions: number[] = [];
  const numbers: number[] = [];
  const lastNumbers: number[] = [];
  const lines: string[] = [];
  for (const [index, { records }] of batches.entries()) {
    for (const { seq, last, json } of records) {
      sessions.push(index + 1);
      numbers.push(seq);
      lastNumbers.push(last);
      lines.push(toLine(json));
    }
  }
  return [`{${sessions.join()}}`, `{${numbers.join()}}`, `{${lastNumbers.join()}}`, lines.join('\n')];
}

/** JSON on one line. Its strings contain no line breaks; between its tokens, a space says the same. */
function toLine(json: string): string {
  return json.includes('\n') ? json.replaceAll('\n', ' ') : json;
}

interface WaitingBatch {
  readonly batch: Batch;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Pause after a statement that failed. */
const retryPauseMs = 100;

const insertion = `
  with wanted as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[])
      with ordinality as wanted (key, fence, last, start, session_id, title, application_head, number)
  ), held as (
    update parley.sessions s set
      last_seq = greatest(s.last_seq, wanted.last),
      updated_at = (extract(epoch from clock_timestamp()) * 1000)::bigint,
      start = coalesce(wanted.start, s.start),
      session_id = coalesce(wanted.session_id, s.session_id),
      title = coalesce(wanted.title, s.title),
      application_head = coalesce(wanted.application_head, s.application_head)
    from wanted where s.key = wanted.key and s.fence = wanted.fence
    returning s.key, wanted.number
  ), stored as (
    insert into parley.records (key, seq, last, record)
    select held.key, record.seq, record.last, record.json
    from unnest($8::bigint[], $9::bigint[], $10::bigint[], string_to_array($11, E'\\n')) as record (session, seq, last, json)
    join held on held.number = record.session
    on conflict (key, seq) do nothing
  ), named as (
    select pg_notify('${channel}', string_agg(key, ',')) from held
  )
  select held.key from held, named`;
