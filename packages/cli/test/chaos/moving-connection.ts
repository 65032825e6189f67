import { setTimeout as delay } from 'node:timers/promises';
import { openRemote } from '@parley/host';
import { connect, RpcError, type Connection } from '@parley/wire';
import type { ChaosReplica } from './chaos-replica.ts';

/** What a connection that moves between replicas does. */
export interface MovingConnectionOptions {
  readonly token: string;
  /** The replica to connect to next. */
  readonly choose: () => ChaosReplica;
  /** Introduces the client, and asks for what it missed. */
  readonly begin: (connection: Connection) => Promise<void>;
  readonly onNotification: (method: string, params: unknown) => void;
}

/** How long a replica may take to accept a client before it tries another one. */
const acceptMs = 30_000;

/** A connection over ACP to one replica, and to another when that one has ended. */
export class MovingConnection {
  readonly #options: MovingConnectionOptions;
  #replica: ChaosReplica | undefined;
  #open: Promise<Connection> | undefined;
  #connection: Connection | undefined;
  /** Connections that were made. */
  count = 0;

  constructor(options: MovingConnectionOptions) {
    this.#options = options;
  }

  /** Sends a request. @param options.isRepeated Whether it is sent again, to another replica, where the connection ended before the response. @default true */
  async ask(
    method: string,
    params: object,
    { isRepeated = true }: { readonly isRepeated?: boolean } = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    for (;;) {
      const connection = await this.#current();
      try {
        const result = await connection.request(method, params);
        return typeof result === 'object' && result !== null ? { ...result } : {};
      } catch (error) {
        if (error instanceof RpcError || !connection.signal.aborted || !isRepeated) throw error;
      }
    }
  }

  /** Ends the connection if it is one to this replica. */
  leave(replica: ChaosReplica): void {
    if (this.#replica !== replica) return;
    void this.#connection?.close();
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  #current(): Promise<Connection> {
    this.#open ??= this.#connect();
    return this.#open;
  }

  async #connect(): Promise<Connection> {
    for (;;) {
      if (this.#isDone) throw new Error('the client has ended');
      const { token, choose, begin, onNotification } = this.#options;
      const replica = choose();
      this.#replica = replica;
      const attempt = await this.#attempt(replica, { token, begin, onNotification }).catch(() => undefined);
      if (attempt !== undefined) return attempt;
      await delay(pauseMs);
    }
  }

  async #attempt(
    replica: ChaosReplica,
    { token, begin, onNotification }: Omit<MovingConnectionOptions, 'choose'>,
  ): Promise<Connection> {
    const transport = await openRemote({
      url: `${replica.url.replace(/^http/u, 'ws')}/acp`,
      headers: { Authorization: `Bearer ${token}` },
      openTimeoutMs: acceptMs,
    });
    const connection = connect(transport, {
      onNotification: (method, params) => {
        if (this.#connection === connection) onNotification(method, params);
      },
      onRequest: () => new Promise(() => {}),
    });
    this.#connection = connection;
    const late = setTimeout(() => void connection.close(), acceptMs);
    try {
      await begin(connection);
    } catch (error) {
      await connection.close();
      throw error;
    } finally {
      clearTimeout(late);
    }
    this.count += 1;
    // It connects again at once, also where nothing is asked: events go on.
    connection.signal.addEventListener('abort', () => {
      this.#open = this.#connect();
      // Where nothing is asked, nothing waits for it.
      this.#open.catch(() => undefined);
    });
    if (connection.signal.aborted) throw new Error('it ended at once');
    return connection;
  }

  #isDone = false;

  /** Ends it for good. */
  async end(): Promise<void> {
    this.#isDone = true;
    await this.close();
  }
}

/** Pause between attempts to connect. */
const pauseMs = 100;
