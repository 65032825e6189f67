import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '@parley/host';
import type { Connections } from './connect.ts';

/** The channel on which sessions that changed are named. */
export const channel = 'parley_sessions';

/** Interval of checks whether the connections are alive. */
const checkMs = 2000;

/** How long a check may take. */
const answerMs = 5000;

/**
 * Wakes those who wait for changes of sessions. One connection listens for all. A notification can be missed while it is
 * down: after each connection, all are woken. Regularly, this process notifies itself: where that does not arrive, all
 * connections are replaced.
 */
export class WakeUps {
  readonly #connections: Connections;
  readonly #bySession = new Map<string, Set<() => void>>();
  readonly #all = new Set<(keys: readonly string[] | undefined) => void>();
  /** A channel of this process alone. */
  readonly #own = `parley_${crypto.randomUUID().replaceAll('-', '')}`;
  #listening: Promise<void> | undefined;
  /** Settles when the server has the first `LISTEN` for both channels; undefined before they were asked for. */
  #registered: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #received = 0;
  #sent = 0;
  #onReceived: () => void = () => {};
  #isChecking = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Calls `wake` when a session may have changed, until the result is disposed of. Settles when no change is missed any more. */
  async watch(key: string, wake: () => void): Promise<Disposable> {
    const wakes = this.#bySession.get(key) ?? new Set();
    this.#bySession.set(key, wakes);
    wakes.add(wake);
    await this.listen();
    return {
      [Symbol.dispose]: () => {
        wakes.delete(wake);
        if (wakes.size === 0 && this.#bySession.get(key) === wakes) this.#bySession.delete(key);
      },
    };
  }

  /** Calls `take` with the sessions that changed; without any, all may have. */
  watchAll(take: (keys: readonly string[] | undefined) => void): void {
    this.#all.add(take);
    this.listen().catch(() => undefined);
  }

  /** Wakes those in this process at once. */
  wake(keys: readonly string[]): void {
    for (const key of keys) for (const wake of this.#bySession.get(key) ?? []) wake();
    for (const take of this.#all) take(keys);
  }

  /**
   * Listens for notifications.
   *
   * @throws {HostError} `failed`: they do not arrive.
   */
  listen(): Promise<void> {
    this.#listening ??= this.#listen().catch((error: unknown) => {
      this.#listening = undefined;
      throw error;
    });
    return this.#listening;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #listen(): Promise<void> {
    if (this.#registered === undefined) await this.#register();
    else await this.#awaitRegistration(this.#registered);
    const answer = await this.#ask();
    if (answer === 'unheard') throw deaf();
    if (answer === 'late') throw noAnswer();
    this.#timer = setInterval(() => {
      void this.#check();
    }, checkMs).unref();
  }

  /** Called once: `listen` continues over the next connection, also for a listener that it has rejected. */
  async #register(): Promise<void> {
    const { sql } = this.#connections;
    let isListening: () => void = () => {};
    this.#registered = new Promise((resolve) => {
      isListening = resolve;
    });
    const sessions = sql.listen(
      channel,
      (payload) => {
        this.wake(payload.split(','));
      },
      () => {
        for (const wakes of this.#bySession.values()) for (const wake of wakes) wake();
        for (const take of this.#all) take(undefined);
      },
    );
    const own = sql.listen(
      this.#own,
      (payload) => {
        this.#received = Math.max(this.#received, Number(payload));
        this.#onReceived();
      },
      // On the same connection, after the other one.
      isListening,
    );
    await Promise.all([sessions, own]);
  }

  /** Waits until the next connection listens; where it does not, all connections are replaced. */
  async #awaitRegistration(registered: Promise<void>): Promise<void> {
    // Says why it cannot be reached.
    await this.#connections.sql`select 1`;
    const end = new AbortController();
    const late = delay(answerMs, 'late', { signal: end.signal }).catch(() => 'ended');
    const outcome = await Promise.race([registered, late]);
    end.abort();
    if (outcome !== 'late') return;
    this.#connections.breakAll();
    throw noAnswer();
  }

  /** Never rejects. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const answer = await this.#ask().catch(() => 'late');
    this.#isChecking = false;
    if (answer !== 'heard' && this.#timer !== undefined) this.#connections.breakAll();
  }

  /** Notifies this process. */
  async #ask(): Promise<Answer> {
    this.#sent += 1;
    const number = this.#sent;
    let isSent = false;
    const end = new AbortController();
    const timeout = delay(answerMs, undefined, { signal: end.signal })
      // A process that was stopped reads first what has come meanwhile.
      .then(() => delay(lateMs, undefined, { signal: end.signal }))
      .then(
        (): Answer => (isSent ? 'unheard' : 'late'),
        (): Answer => 'late',
      );
    const heard = new Promise<Answer>((resolve) => {
      this.#onReceived = () => {
        if (this.#received >= number) resolve('heard');
      };
    });
    try {
      const sent = this.#connections.sql.notify(this.#own, String(number)).then(() => {
        isSent = true;
        return heard;
      });
      return await Promise.race([sent, timeout]);
    } finally {
      end.abort();
    }
  }
}

/** What comes of a notification: it arrives, it does not, or the database does not take it. */
type Answer = 'heard' | 'unheard' | 'late';

/** How long a process that was stopped may take to read what has come. */
const lateMs = 100;

function noAnswer(): Error {
  return Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' });
}

function deaf(): HostError {
  return new HostError(
    'failed',
    'notifications of the database do not arrive: PgBouncer in transaction mode cannot LISTEN; use its session mode, or connect to PostgreSQL itself',
  );
}
