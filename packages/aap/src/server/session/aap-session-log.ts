import { atEndOfTick } from '@parley/wire';
import type { AapSessionStore } from '../aap-session-store.ts';
import type { AapServerLimits } from '../limits.ts';
import { AapServerError } from '../server-error.ts';
import type { LoggedTurnEvent } from '../turn/logged-turn-event.ts';
import type { AapSessionRecord, TurnEvents } from './aap-session-record.ts';
import type { KeepingRounds } from './keeping-rounds.ts';

/** The callbacks by which a log notifies its session. */
export interface AapSessionLogOptions {
  readonly limits: AapServerLimits;
  readonly rounds: KeepingRounds;
  /** These are in the store now. */
  readonly kept: (records: readonly AapSessionRecord[]) => void;
  /** The store failed: nothing that was not `kept` by now ever will be. */
  readonly failed: (error: AapServerError) => void;
}

/** How records are added. */
export interface AddOptions {
  /** What lists know of the session from now on. */
  readonly head?: unknown;
}

/**
 * Brings the records of one session to the store, in order. Events that come in one tick of the event loop go there
 * together: a piece of text costs no write of its own.
 */
export class AapSessionLog {
  readonly #store: AapSessionStore;
  readonly #sessionId: string;
  readonly #options: AapSessionLogOptions;
  #batch = new Batch();
  #writing: Promise<void> | undefined;
  #isScheduled = false;
  #failure: AapServerError | undefined;

  constructor(store: AapSessionStore, sessionId: string, options: AapSessionLogOptions) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#options = options;
  }

  /** More waits than may. */
  get isOverloaded(): boolean {
    return this.#batch.chars > this.#options.limits.maxWaitingChars;
  }

  /**
   * Adds an event of a turn, that takes about so many characters.
   *
   * @returns A promise if the agent should wait before it continues.
   */
  addEvent(turnId: string, seq: number, event: LoggedTurnEvent, chars: number): void | Promise<void> {
    if (this.#failure !== undefined) return undefined;
    const batch = this.#batch;
    batch.addEvent(turnId, seq, event, chars);
    if (batch.chars > this.#options.limits.waitingChars) {
      return this.#writing === undefined ? (this.#flush() ?? endOfTick()) : batch.done;
    }
    if (this.#writing === undefined) this.#schedule();
    return undefined;
  }

  /** Adds records that must survive, at once. Settles when they are on the disk. */
  async add(records: readonly AapSessionRecord[], { head }: AddOptions = {}): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const batch = this.#batch;
    batch.add(records);
    batch.isDurable = true;
    if (head !== undefined) batch.head = head;
    const { done } = batch;
    void this.#flush();
    await done;
  }

  /** Hands to the store what has gathered. */
  flush(): void {
    void this.#flush();
  }

  /** Settles when nothing waits for the store, whether it failed or not. */
  async settled(): Promise<void> {
    void this.#flush();
    while (this.#writing !== undefined) await this.#writing;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.rounds.join(() => {
      this.#isScheduled = false;
      const { events } = this.#batch;
      void this.#flush();
      return events;
    });
  }

  /** @returns A promise when the store is at it. */
  #flush(): Promise<void> | undefined {
    if (this.#writing !== undefined || this.#failure !== undefined) return this.#writing;
    const batch = this.#batch;
    if (batch.records.length === 0) return undefined;
    this.#batch = new Batch();
    const appended = this.#append(batch);
    if (appended === undefined) {
      this.#keep(batch);
      return undefined;
    }
    this.#writing = appended.then(
      () => {
        this.#writing = undefined;
        this.#keep(batch);
        void this.#flush();
      },
      (error: unknown) => {
        this.#writing = undefined;
        this.#fail(error, batch);
      },
    );
    return this.#writing;
  }

  #append({ records, isDurable, head }: Batch): Promise<void> | undefined {
    const options = { ...(isDurable && { durable: true }), ...(head !== undefined && { head }) };
    try {
      return this.#store.append(this.#sessionId, records, options) ?? undefined;
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #keep(batch: Batch): void {
    this.#options.kept(batch.records);
    batch.settle();
  }

  #fail(cause: unknown, batch: Batch): void {
    const failure = new AapServerError(
      'store-failed',
      `session ${this.#sessionId}: the store could not keep it`,
      {
        cause,
      },
    );
    this.#failure = failure;
    batch.settle(failure);
    this.#batch.settle(failure);
    this.#options.failed(failure);
  }
}

/** What goes to the store in one piece. */
class Batch {
  readonly records: AapSessionRecord[] = [];
  chars = 0;
  /** How many events are among the records. */
  events = 0;
  isDurable = false;
  head: unknown;
  #open: { readonly record: TurnEvents; readonly list: LoggedTurnEvent[] } | undefined;
  #done: Promise<void> | undefined;
  #settle: ((failure?: Error) => void) | undefined;

  /** Settles with the batch. */
  get done(): Promise<void> {
    if (this.#done === undefined) {
      this.#done = new Promise((resolve, reject) => {
        this.#settle = (failure) => (failure === undefined ? resolve() : reject(failure));
      });
      // Rejects the callers that wait; none has to.
      this.#done.catch(() => undefined);
    }
    return this.#done;
  }

  add(records: readonly AapSessionRecord[]): void {
    this.#open = undefined;
    this.records.push(...records);
  }

  addEvent(turnId: string, seq: number, event: LoggedTurnEvent, chars: number): void {
    this.chars += chars;
    this.events += 1;
    if (this.#open === undefined) {
      const list: LoggedTurnEvent[] = [];
      const record: TurnEvents = { type: 'events', turnId, from: seq, events: list };
      this.#open = { record, list };
      this.records.push(record);
    }
    this.#open.list.push(event);
  }

  settle(failure?: Error): void {
    this.#settle?.(failure);
  }
}

function endOfTick(): Promise<void> {
  return new Promise((resolve) => {
    atEndOfTick(resolve);
  });
}
