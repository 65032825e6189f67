import type { SharedDocument } from '@parley/workspace';
import type { Sql } from 'postgres';
import { inTransaction } from './transaction.ts';

/** Time for a change of a document: a process that is stopped meanwhile must not keep the others from theirs. */
const defaultChangeMs = 30_000;

/** The channel on which documents that changed are named. */
const documentsChannel = 'parley_documents';

/** Short texts that all replicas share, a row each. */
export class Documents {
  readonly #sql: () => Sql;
  readonly #ready: () => Promise<void>;
  readonly #changeMs: number;
  readonly #open = new Map<string, Document>();
  #listening: Promise<unknown> | undefined;

  /** @param changeMs Time limit for a change, after which the database undoes it. @default 30000 */
  constructor(sql: () => Sql, ready: () => Promise<void>, changeMs: number = defaultChangeMs) {
    this.#sql = sql;
    this.#ready = ready;
    this.#changeMs = changeMs;
  }

  /** A document, always the same one. */
  of(name: string): SharedDocument {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const document = new Document(name, () => this.#listen(), this.#changeMs);
    this.#open.set(name, document);
    return document;
  }

  /** Settles when no change is missed any more. */
  async #listen(): Promise<Sql> {
    await this.#ready();
    const sql = this.#sql();
    this.#listening ??= sql
      .listen(
        documentsChannel,
        (name) => this.#open.get(name)?.noteChange(),
        () => {
          // What was announced while nothing was listened to is read now.
          for (const document of this.#open.values()) document.noteChange();
        },
      )
      .catch((error: unknown) => {
        this.#listening = undefined;
        throw error;
      });
    await this.#listening;
    return sql;
  }
}

class Document implements SharedDocument {
  readonly name: string;
  readonly #listen: () => Promise<Sql>;
  readonly #changeMs: number;
  readonly #listeners = new Set<() => void>();
  /** What was read last, or is being read; undefined when it may have changed since. */
  #known: Promise<string | undefined> | undefined;

  constructor(name: string, listen: () => Promise<Sql>, changeMs: number) {
    this.name = name;
    this.#listen = listen;
    this.#changeMs = changeMs;
  }

  read(): Promise<string | undefined> {
    if (this.#known !== undefined) return this.#known;
    // A change that is announced while it is read has it read again.
    const reading = this.#read();
    this.#known = reading;
    reading.catch(() => {
      if (this.#known === reading) this.#known = undefined;
    });
    return reading;
  }

  async #read(): Promise<string | undefined> {
    const sql = await this.#listen();
    const [row] = await sql`select content from parley.documents where name = ${this.name}`;
    return textIn(row);
  }

  async change(change: (text: string | undefined) => Promise<string>): Promise<void> {
    const sql = await this.#listen();
    await inTransaction(sql, async (transaction, checkOpen) => {
      await transaction`select set_config('idle_in_transaction_session_timeout', ${String(this.#changeMs)}, true)`;
      await transaction`insert into parley.documents (name) values (${this.name}) on conflict (name) do nothing`;
      const [row] =
        await transaction`select content from parley.documents where name = ${this.name} for update`;
      const text = await change(textIn(row));
      checkOpen();
      await transaction`update parley.documents set content = ${text}, changed_at = now() where name = ${this.name}`;
      await transaction`select pg_notify(${documentsChannel}, ${this.name})`;
    });
    this.#known = undefined;
  }

  async reread(): Promise<void> {
    this.#known = undefined;
    await this.read();
  }

  listen(listener: () => void): Disposable {
    this.#listeners.add(listener);
    this.#listen().catch(() => undefined);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  noteChange(): void {
    this.#known = undefined;
    for (const listener of this.#listeners) listener();
  }
}

function textIn(row: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const content = row?.['content'];
  return typeof content === 'string' ? content : undefined;
}
