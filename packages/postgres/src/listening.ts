import { setTimeout as delay } from 'node:timers/promises';
import type { ListenMeta, Sql } from 'postgres';
import { Pool, type OpenDriver } from './pool.ts';

/** Pause before listening again. */
const pauseMs = 200;

/** A channel that is listened to. */
interface Listener {
  readonly words: Parameters<Sql['listen']>;
  /** The connection over which it does, counted. */
  connection?: number;
  meta?: ListenMeta;
}

/** Listens for notifications over one connection, and over the next one when that was lost: also those that the first one rejected. */
export class Listening {
  readonly #pool: Pool;
  readonly #listeners = new Set<Listener>();
  /** The connection, counted. */
  #connection = 0;
  #isEnded = false;

  constructor(open: OpenDriver) {
    this.#pool = new Pool(open, {
      onLost: () => {
        this.#connection += 1;
        void this.#listenAgain(this.#connection);
      },
    });
  }

  /** As the driver does it. */
  async listen(...words: Parameters<Sql['listen']>): Promise<ListenMeta> {
    const listener: Listener = { words };
    this.#listeners.add(listener);
    const meta = await this.#start(listener);
    return {
      ...meta,
      unlisten: async () => {
        this.#listeners.delete(listener);
        await listener.meta?.unlisten();
      },
    };
  }

  breakAll(): void {
    this.#pool.breakAll();
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#pool.end();
  }

  async #start(listener: Listener): Promise<ListenMeta> {
    listener.connection = this.#connection;
    listener.meta = await this.#pool.sql.listen(...listener.words);
    return listener.meta;
  }

  /** Never rejects. */
  async #listenAgain(connection: number): Promise<void> {
    await delay(pauseMs);
    if (this.#isEnded || this.#connection !== connection) return;
    const silent = [...this.#listeners].filter((listener) => listener.connection !== connection);
    // Where it fails, the connection is lost, and the next one is tried.
    await Promise.allSettled(silent.map((listener) => this.#start(listener)));
  }
}
