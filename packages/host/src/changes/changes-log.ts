import { HostError } from '../host-error.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { PendingEvent, PendingEvents } from './pending-events.ts';

/** The event log of a session, which any process may own. */
export interface ChangesLogOptions {
  /**
   * Returns the session's key. Called each time, because the session that an agent continues may be known only after
   * its start.
   */
  readonly key: () => string;
  readonly eventLogs: { readonly store: SessionStore; readonly program: string };
  /**
   * Appends pending events to the event log if this process owns the session, and returns whether it does. @default
   * it does not
   */
  readonly deliver?: (pending: PendingEvents) => Promise<boolean>;
}

/** Records what users do with the changes of a session, in whichever process owns the session. */
export class ChangesLog {
  readonly #options: ChangesLogOptions;
  #delivering: Promise<void> = Promise.resolve();
  #waits = false;

  constructor(options: ChangesLogOptions) {
    this.#options = options;
  }

  /** Whether events wait for another process, which owns the session. */
  get waits(): boolean {
    return this.#waits;
  }

  /** Settles when the lease of the session is not held here. */
  settled(): Promise<void> {
    return this.#delivering;
  }

  async record(pending: PendingEvents, event: PendingEvent): Promise<void> {
    await pending.add(this.#options.key(), event);
    await this.deliver(pending);
  }

  /** Appends the pending events; deliveries run one after another. */
  async deliver(pending: PendingEvents): Promise<void> {
    const delivering = this.#delivering.then(() => this.#deliver(pending));
    this.#delivering = delivering.catch(() => undefined);
    await delivering;
  }

  /** The owner appends; for a session that no process owns, this one does. */
  async #deliver(pending: PendingEvents): Promise<void> {
    const { eventLogs, deliver } = this.#options;
    const key = this.#options.key();
    this.#waits = false;
    if (await pending.isEmpty(key)) return;
    if ((await deliver?.(pending)) === true) return;
    const head = await eventLogs.store.head(key);
    if (head === undefined) return;
    const { agent, cwd } = head.start;
    let failure: Error | undefined;
    try {
      await using eventLog = await eventLogs.store.open(key, {
        start: { agent, cwd, program: eventLogs.program },
        onFailure: (error) => {
          failure = error;
        },
      });
      await pending.deliver(key, (event) => {
        void eventLog.append(event);
        return eventLog.stored();
      });
    } catch (error) {
      if (!(error instanceof HostError) || error.code !== 'already-open') throw failure ?? error;
      // Its owner appends it when it is asked for the changes, at the latest before the next turn.
      this.#waits = true;
    }
  }
}
