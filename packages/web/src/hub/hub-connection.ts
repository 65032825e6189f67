import { connect, type Clock, type Connection, type Transport } from '@parley/wire';
import { attemptMs, probeMs, reconnectMs, requestWaitMs } from '../limits.ts';
import { HubError } from './hub-error.ts';
import type { ConnectionState } from './hub-state.ts';

/** Options of {@link HubConnection}. */
export interface HubConnectionOptions {
  /** Opens what one attempt speaks over. */
  readonly open: () => Transport;
  /** Introduces us; it is open once this has ended well. */
  readonly greet: (connection: Connection) => Promise<void>;
  /** Whether the peer responds. Called when the machine may have slept. */
  readonly probe: (connection: Connection) => Promise<unknown>;
  readonly onNotification: (method: string, params: unknown) => void;
  readonly onState: (state: ConnectionState) => void;
  /** Whether the browser is signed in; true if unknown. */
  readonly isSignedIn: () => Promise<boolean>;
  readonly clock: Clock;
  /** From 0 to 1: attempts of many pages are spread. */
  readonly random: () => number;
}

/** Holds one connection, and reconnects when it is lost. There is never more than one attempt at a time. */
export class HubConnection {
  readonly #options: HubConnectionOptions;
  readonly #waiting = new Set<() => void>();
  #connection: Connection | undefined;
  #isSignedOut = false;
  #hurry: () => void = () => {};

  constructor(options: HubConnectionOptions) {
    this.#options = options;
  }

  /** The connection, where there is one at this moment. */
  get current(): Connection | undefined {
    return this.#connection;
  }

  /** Connects, stays until the connection is lost, and connects again, until it is closed. */
  async run(signal: AbortSignal = new AbortController().signal): Promise<void> {
    const { onState, isSignedIn, clock, random } = this.#options;
    let attempts = 0;
    while (!signal.aborted) {
      onState({ state: 'connecting', since: clock.now() });
      if (await this.#stay(signal)) attempts = 0;
      if (hasEnded(signal)) return;
      this.#isSignedOut = !(await isSignedIn());
      if (this.#isSignedOut) {
        onState({ state: 'signed-out' });
        this.#wake();
        await this.#pause(undefined, signal);
        this.#isSignedOut = false;
        attempts = 0;
        continue;
      }
      const delay = Math.min(reconnectMs, 500 * 2 ** attempts) * (0.75 + random() / 2);
      attempts += 1;
      onState({ state: 'waiting', retryAt: clock.now() + delay, attempts });
      await this.#pause(delay, signal);
    }
  }

  /** Reconnects at once instead of waiting. */
  hurry(): void {
    this.#hurry();
  }

  /** Finds out whether the connection still lives, and ends it where it does not. */
  async check(): Promise<void> {
    this.hurry();
    const connection = this.#connection;
    if (connection === undefined) return;
    const { probe, clock } = this.#options;
    let stopTimer = (): void => {};
    const silence = new Promise<'silence'>((resolve) => {
      stopTimer = clock.after(probeMs, () => resolve('silence'));
    });
    // A peer that says no is there.
    const answer = await Promise.race([probe(connection).catch(() => {}), silence]);
    stopTimer();
    if (answer === 'silence') await connection.close();
  }

  /** Returns the connection, once there is one. @throws {HubError} Timed out, or not signed in. */
  async ready(): Promise<Connection> {
    const patience = new AbortController();
    const stopTimer = this.#options.clock.after(requestWaitMs, () => {
      patience.abort();
      this.#wake();
    });
    try {
      while (this.#connection === undefined) {
        if (this.#isSignedOut) throw new HubError('signed-out', 'the server does not know this browser');
        if (patience.signal.aborted) {
          throw new HubError('not-connected', `no connection to Parley in ${requestWaitMs} ms`);
        }
        await new Promise<void>((resolve) => {
          this.#waiting.add(resolve);
        });
      }
      return this.#connection;
    } finally {
      stopTimer();
    }
  }

  /** @returns whether there was a connection */
  async #stay(signal: AbortSignal): Promise<boolean> {
    const { open, greet, onNotification, onState, clock } = this.#options;
    const connection = connect(open(), { clock, onNotification });
    const end = (): void => void connection.close();
    const stopTimer = clock.after(attemptMs, end);
    signal.addEventListener('abort', end);
    try {
      await greet(connection);
      stopTimer();
      if (connection.signal.aborted) return false;
      this.#connection = connection;
      onState({ state: 'open' });
      this.#wake();
      await connection.closed;
      return true;
    } catch {
      // `isSignedIn` finds out why it failed; everything else is retried.
      await connection.close();
      return false;
    } finally {
      stopTimer();
      signal.removeEventListener('abort', end);
      this.#connection = undefined;
    }
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Until the user asks to retry now. */
  async #pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const stopTimer = ms === undefined ? (): void => {} : this.#options.clock.after(ms, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      this.#hurry = () => {
        stopTimer();
        resolve();
      };
    });
    this.#hurry = () => {};
  }
}

/** The compiler takes a signal that was not aborted for one that never is. */
function hasEnded({ aborted }: AbortSignal): boolean {
  return aborted;
}
