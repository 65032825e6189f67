import { protocolVersion } from '@parley/acp';
import { HostError, openRemote } from '@parley/host';
import {
  attends,
  hubMethods,
  type AttendResult,
  questionsAfter,
  type HubChanges,
  type HubQuestion,
  type HubSession,
  type EventsNote,
  type SettledQuestion,
} from '@parley/host/hub';
import { parseLoggedEvent } from '@parley/host/state';
import { connect, systemClock, WireError, type Clock, type Connection } from '@parley/wire';
import { CliError } from '../cli-error.ts';
import { readVersion } from '../version.ts';
import type { HubAddress } from './find-hub.ts';
import { fromHub } from './from-hub.ts';

/** An event of a session, as the hub sends it. */
export type HubEvent = EventsNote['events'][number];

/** Receives the events of a hub. */
export interface HubClientListener {
  /** An event of the session that is followed: each once, in order. A promise lets the hub wait. */
  event(event: HubEvent): Promise<void> | undefined;
  /** All events that were there when the session was followed, also after the connection was made again, have come. */
  caughtUp(): void;
  /** Sessions or questions have changed. */
  onChanges(settled: readonly SettledQuestion[]): void;
}

/** How a hub is reached, and what for. */
export interface HubClientOptions {
  /** Asked for each connection: a hub that was restarted may have another address and token. */
  readonly find: () => Promise<HubAddress>;
  /** Whether a user can be asked here. */
  readonly answers: boolean;
  readonly listener: HubClientListener;
  readonly signal: AbortSignal;
  /** Measures for how long the hub is away. @default the system's */
  readonly clock?: Clock;
}

/** A client of a hub. Its connection is made again when it is lost. */
export class HubClient implements AsyncDisposable {
  readonly #options: HubClientOptions;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, HubSession>();
  readonly #ended = new AbortController();
  #questions: readonly HubQuestion[] = [];
  #connection: Connection | undefined;
  #userName = '';
  #isObserver = false;
  #name = '';
  #followed: string | undefined;
  #seq = 0;
  #lose: (error: CliError) => void = () => {};
  #wake: () => void = () => {};

  /** Rejects if the hub stays unreachable for too long. */
  readonly lost: Promise<never> = new Promise((_resolve, reject) => {
    this.#lose = reject;
  });

  private constructor(options: HubClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    // Other callers are notified there.
    this.lost.catch(() => undefined);
  }

  /** @throws {CliError} `no-hub`, `hub-refused` */
  static async open(options: HubClientOptions): Promise<HubClient> {
    const client = new HubClient(options);
    const connection = await client.#connect(firstAttemptMs);
    void client.#stay(connection);
    return client;
  }

  /** The session that was used last comes first. */
  get sessions(): readonly HubSession[] {
    return [...this.#sessions.values()].toSorted((left, right) => right.updatedAt - left.updatedAt);
  }

  session(key: string): HubSession | undefined {
    return this.#sessions.get(key);
  }

  get questions(): readonly HubQuestion[] {
    return this.#questions;
  }

  /** As others see who answers here. */
  get userName(): string {
    return this.#userName;
  }

  /** The token lets its holder look, and change nothing. */
  get isObserver(): boolean {
    return this.#isObserver;
  }

  /** Begins to follow a session, from its first event. */
  async follow(key: string): Promise<void> {
    this.#followed = key;
    this.#seq = 0;
    await this.catchUp();
  }

  /** Asks for events that may have been missed; `caughtUp` is called when they have come. */
  async catchUp(): Promise<void> {
    for (;;) {
      try {
        await this.#watch(await this.#ready());
        return;
      } catch (error) {
        // The connection was lost meanwhile, and is made again.
        if (!(error instanceof WireError)) throw error;
      }
    }
  }

  /** @throws {RpcError} The hub said no. @throws {WireError} The connection was lost before the answer. */
  async request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    const connection = await this.#ready();
    return connection.request(method, params, signal && { signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#connection?.close();
  }

  async #ready(): Promise<Connection> {
    while (this.#connection === undefined || this.#connection.signal.aborted) {
      await Promise.race([
        this.lost,
        new Promise<void>((resolve) => {
          this.#wake = resolve;
        }),
      ]);
    }
    return this.#connection;
  }

  async #stay(first: Connection): Promise<void> {
    let connection: Connection | undefined = first;
    while (connection !== undefined) {
      await connection.closed;
      this.#connection = undefined;
      connection = await this.#again();
    }
  }

  async #again(): Promise<Connection | undefined> {
    const until = this.#clock.now() + reconnectMs;
    while (!this.#isOver) {
      const leftMs = until - this.#clock.now();
      if (leftMs <= 0) {
        const waited = `${String(reconnectMs / 1000)} s`;
        this.#lose(
          new CliError(
            'hub-lost',
            `${this.#name}: lost the connection to the hub, and could not reconnect within ${waited}`,
          ),
        );
        return undefined;
      }
      try {
        return await this.#connect(leftMs);
      } catch (error) {
        if (error instanceof CliError && error.code === 'hub-refused') {
          this.#lose(error);
          return undefined;
        }
        // It may not have been started again yet.
        await this.#betweenAttempts();
      }
    }
    // What still waits has to learn that nothing more will come; a client that was closed waits for nothing.
    if (!this.#ended.signal.aborted) {
      this.#lose(new CliError('hub-lost', `${this.#name}: lost the connection to the hub`));
    }
    return undefined;
  }

  #betweenAttempts(): Promise<void> {
    const { signal } = this.#ended;
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const cancel = this.#clock.after(betweenAttemptsMs, () => {
        signal.removeEventListener('abort', end);
        resolve();
      });
      const end = (): void => {
        cancel();
        resolve();
      };
      signal.addEventListener('abort', end, { once: true });
    });
  }

  get #isOver(): boolean {
    return this.#ended.signal.aborted || this.#options.signal.aborted;
  }

  async #connect(timeoutMs: number): Promise<Connection> {
    const { find, answers, signal } = this.#options;
    const { socketUrl: url, name, headers, isOwn } = await find();
    this.#name = name;
    const untilOpen = AbortSignal.any([signal, this.#ended.signal]);
    const transport = await openRemote({
      url,
      headers,
      openTimeoutMs: timeoutMs,
      signal: untilOpen,
      ...(isOwn && { acceptsAnyCertificate: true }),
    }).catch((error: unknown) => {
      throw toHubError(error, name);
    });
    const connection = connect(transport, {
      onNotification: (method, params) => this.#take(method, params),
    });
    try {
      await connection.request('initialize', {
        protocolVersion,
        clientInfo: { name: 'parley attach', version: readVersion() },
        clientCapabilities: { _meta: { [attends]: true } },
      });
      // Changes right after the answer are relative to it.
      await connection.request(
        hubMethods.attend,
        { answers: answers && 'watched' },
        {
          read: (known) => {
            this.#attend(fromHub<AttendResult>(known));
          },
        },
      );
      if (this.#followed !== undefined) await this.#watch(connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
    this.#connection = connection;
    this.#wake();
    this.#options.listener.onChanges([]);
    return connection;
  }

  async #watch(connection: Connection): Promise<void> {
    await connection.request(hubMethods.watch, { sessionId: this.#followed, after: this.#seq });
  }

  #attend({ sessions, questions, person, scope }: AttendResult): void {
    this.#sessions.clear();
    for (const session of sessions) this.#sessions.set(session.key, session);
    this.#questions = questions;
    this.#userName = person;
    this.#isObserver = scope === 'observe';
  }

  #take(method: string, params: unknown): Promise<void> | void {
    switch (method) {
      case hubMethods.events:
        return this.#takeEvents(fromHub<EventsNote>(params));
      case hubMethods.update:
        this.#takeChanges(fromHub<HubChanges>(params));
        return;
      // What agents and commands write is shown by other clients.
      default:
    }
  }

  async #takeEvents({ sessionId, events, isCaughtUp }: EventsNote): Promise<void> {
    if (sessionId !== this.#followed) return;
    for (const value of events) {
      const event = parseLoggedEvent(value);
      // A watch that was begun again overlaps the one before.
      if (event === undefined || event.seq <= this.#seq) continue;
      this.#seq = event.seq;
      await this.#options.listener.event(event);
    }
    if (isCaughtUp) this.#options.listener.caughtUp();
  }

  #takeChanges(changes: HubChanges): void {
    const { sessions = [], removed = [], settled = [] } = changes;
    for (const session of sessions) this.#sessions.set(session.key, session);
    for (const key of removed) this.#sessions.delete(key);
    this.#questions = questionsAfter(this.#questions, changes);
    this.#options.listener.onChanges(settled);
  }
}

function toHubError(error: unknown, name: string): unknown {
  if (!(error instanceof HostError)) return error;
  if (error.code === 'auth-required') {
    return new CliError(
      'hub-refused',
      `${name}: the hub refused the token; name another with --token or PARLEY_TOKEN`,
      {
        cause: error,
      },
    );
  }
  if (error.code === 'aborted') return error;
  return new CliError('no-hub', `${error.message}; is a hub running there? "parley serve" starts one`, {
    cause: error,
  });
}

/** How long the first connection to a hub may take. */
const firstAttemptMs = 10_000;
/** Delay between two attempts to connect. */
const betweenAttemptsMs = 250;

/** How long a hub may be unreachable before the connection fails. */
const reconnectMs = 30_000;
