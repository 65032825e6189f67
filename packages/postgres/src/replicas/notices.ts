import type { Sql } from 'postgres';

/** The channel on which replicas wake each other. */
const channel = 'parley_replicas';

/** What a wake-up may be about; its text says which. */
type Subject = 'command' | 'target' | 'outcome' | 'cancel' | 'shared' | 'replicas';

/** What is done when a wake-up arrives. */
export interface NoticeHandlers {
  /** Commands wait for the owner of a session. */
  command(key: string): Promise<void> | void;
  /** Commands wait for a replica. */
  target(replica: string): Promise<void> | void;
  /** A command is done. */
  outcome(id: string): Promise<void> | void;
  /** The sender of a command wants no result any more. */
  cancel(id: string): void;
  /** What is shown of sessions has changed. */
  shared(keys: readonly string[]): Promise<void> | void;
  /** A replica joined or left. */
  replicas(): Promise<void> | void;
  /** The connection is new: anything may have been missed. */
  missed(): Promise<void> | void;
  /** What one of the others rejects with. Must not throw. */
  onFault(error: unknown): void;
}

/** Wake-ups between replicas: ids only, as a payload holds 8,000 bytes, and all of them can be lost. */
export class Notices {
  readonly #sql: Sql;
  #listening: Promise<{ unlisten(): Promise<void> }> | undefined;
  #isClosed = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async listen(handlers: NoticeHandlers): Promise<void> {
    this.#listening ??= this.#listen(handlers).catch((error: unknown) => {
      this.#listening = undefined;
      throw error;
    });
    await this.#listening;
  }

  async send(subject: Subject, text: string): Promise<void> {
    await this.#sql.notify(channel, `${subject} ${text}`);
  }

  /** The statement that sends a wake-up, as part of another statement. */
  static sql(sql: Sql, subject: Subject, text: ReturnType<Sql['unsafe']>): ReturnType<Sql['unsafe']> {
    return sql`pg_notify(${channel}, ${`${subject} `}::text || ${text})`;
  }

  /** Nothing is begun from now on, and what was begun may fail: the connections end soon. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#listening?.catch(() => undefined))?.unlisten().catch(() => undefined);
  }

  async #listen(handlers: NoticeHandlers): Promise<{ unlisten(): Promise<void> }> {
    let hasFailed = false;
    const run = (work: () => Promise<void> | void): void => {
      if (this.#isClosed || hasFailed) return;
      Promise.resolve()
        .then(work)
        .catch((error: unknown) => {
          if (!this.#isClosed) handlers.onFault(error);
        });
    };
    try {
      return await this.#sql.listen(
        channel,
        (payload) => {
          run(() => deliver(payload, handlers));
        },
        () => {
          run(() => handlers.missed());
        },
      );
    } catch (error) {
      // It continues over the next connection, also for a listener that was rejected.
      hasFailed = true;
      throw error;
    }
  }
}

function deliver(payload: string, handlers: NoticeHandlers): Promise<void> | void {
  const space = payload.indexOf(' ');
  const text = payload.slice(space + 1);
  switch (payload.slice(0, space)) {
    case 'command':
      return handlers.command(text);
    case 'target':
      return handlers.target(text);
    case 'outcome':
      return handlers.outcome(text);
    case 'cancel':
      return handlers.cancel(text);
    case 'shared':
      return handlers.shared(text.split(','));
    case 'replicas':
      return handlers.replicas();
    default:
      return undefined;
  }
}
