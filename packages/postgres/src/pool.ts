import { Socket } from 'node:net';
import type { Sql } from 'postgres';

/** How long statements on their way may take when their connections end, in seconds. */
const endSeconds = 5;

/** The same when they are replaced: those that the lost connection would have got are rejected then. */
const replacedSeconds = 2;

/** Opens connections with the driver, over sockets that are made here. */
export type OpenDriver = (createSocket: () => Socket) => Sql;

/** What a pool does differently. */
export interface PoolOptions {
  /** Called when a connection was lost. The next statement is sent over new ones. */
  readonly onLost?: () => void;
  /** @default over the connections of the pool */
  readonly listen?: Sql['listen'];
}

/**
 * Connections to a database. When one of them is lost, all are replaced: the driver connects a lost one again, but sends nothing
 * over it any more where something waited to be sent, and each statement that it gets fails after the time limit for connecting.
 * See https://github.com/porsager/postgres/pull/1209.
 */
export class Pool {
  /** Sends statements over the connections that there are at that time. */
  readonly sql: Sql;
  readonly #open: OpenDriver;
  readonly #onLost: () => void;
  readonly #sockets = new Set<Socket>();
  /** Those that were replaced and still have statements on their way. */
  readonly #ending = new Set<Promise<void>>();
  #current: Sql | undefined;
  #isEnded = false;

  constructor(open: OpenDriver, { onLost = () => undefined, listen }: PoolOptions = {}) {
    this.#open = open;
    this.#onLost = onLost;
    this.sql = new Proxy(this.#driver, {
      apply: (_first, _this, words: Parameters<Sql>): unknown =>
        Reflect.apply(this.#driver, undefined, words),
      get: (_first, name): unknown =>
        name === 'listen' && listen !== undefined ? listen : Reflect.get(this.#driver, name),
    });
  }

  /** Breaks all connections; what was sent over them is rejected. */
  breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends the connections when what was sent is answered, or after a while. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all([...this.#ending, this.#driver.end({ timeout: endSeconds })]);
  }

  get #driver(): Sql {
    if (this.#current !== undefined) return this.#current;
    const driver: Sql = this.#open(() => {
      const socket: DatabaseSocket = new DatabaseSocket(() => {
        this.#sockets.delete(socket);
        this.#lose(driver);
      });
      this.#sockets.add(socket);
      return socket;
    });
    this.#current = driver;
    return driver;
  }

  #lose(driver: Sql): void {
    if (this.#isEnded || this.#current !== driver) return;
    this.#current = undefined;
    const ending = driver.end({ timeout: replacedSeconds }).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    this.#onLost();
  }
}

/** A socket that says that it has ended before its listeners do. */
class DatabaseSocket extends Socket {
  readonly #onEnded: () => void;

  constructor(onEnded: () => void) {
    super();
    this.#onEnded = onEnded;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#onEnded();
    super._destroy(error, callback);
  }
}
