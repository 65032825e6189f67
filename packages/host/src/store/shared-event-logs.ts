import type { LoggedEvent, EventLogStart } from '../event/logged-event.ts';
import type { EventLog } from './event-log.ts';
import type { SessionStore } from './session-store.ts';

/** Where the event logs are, and the program that writes them. */
export interface SharedEventLogsOptions<Store extends SessionStore = SessionStore> {
  readonly store: Store;
  readonly program: string;
  /** The time in milliseconds. @default the system's */
  readonly now?: () => number;
}

/** What one part of the program opens an event log with. */
export interface UseEventLogOptions {
  /** How a new one begins. */
  readonly start: Omit<EventLogStart, 'type' | 'key' | 'program'>;
  /** Receives each event in order: first the stored events, then each new one. Must not throw. */
  readonly onEvent?: (event: LoggedEvent) => void;
  /** Takes the events that are stored while the log is open for this user, in order; not those that are omitted. Must not throw. */
  readonly onStored?: (event: LoggedEvent) => void;
  /** Called each time writing begins to fail. */
  readonly onFailure?: (error: Error) => void;
  /** Called when writing works again. */
  readonly onRecovery?: () => void;
}

/**
 * The event logs that this process writes. Each is open once, however many parts of the program write it: the server of
 * applications and the agent of a session, for example.
 */
export class SharedEventLogs<Store extends SessionStore = SessionStore> {
  readonly store: Store;
  readonly program: string;
  readonly #now: (() => number) | undefined;
  readonly #open = new Map<string, OpenLog>();

  constructor({ store, program, now }: SharedEventLogsOptions<Store>) {
    this.store = store;
    this.program = program;
    this.#now = now;
  }

  /**
   * Opens the event log of a session, or joins those that have it open. `close` leaves it; the last to leave closes the file.
   *
   * @throws {HostError} `already-open`: another process writes it.
   * @throws {WorkspaceError} It cannot be read, made or written.
   */
  async use(key: string, options: UseEventLogOptions): Promise<EventLog> {
    for (;;) {
      const open = this.#open.get(key) ?? this.#begin(key, options.start);
      // What it was opened for may have been the last that was wanted of it.
      if (await open.isClosed()) continue;
      return await open.join({ ...options });
    }
  }

  /** Removes a session, even while this process writes its event log: what is appended from now on is dropped. */
  async remove(key: string): Promise<void> {
    for (;;) {
      await this.#open.get(key)?.end();
      const { owner } = await this.store.remove(key);
      // It may have been opened again meanwhile.
      if (owner?.isThis !== true || !this.#open.has(key)) return;
    }
  }

  /** Another process owns a session: its event log is closed here for all its users, and can be opened again. Never rejects. */
  async lose(key: string): Promise<void> {
    await this.#open.get(key)?.end();
  }

  #begin(key: string, start: UseEventLogOptions['start']): OpenLog {
    const now = this.#now;
    const open: OpenLog = new OpenLog({
      key,
      store: this.store,
      open: (users) =>
        this.store.open(key, {
          start: { ...start, program: this.program },
          ...(now !== undefined && { now }),
          onEvent: (event, isOmitted) => users.event(event, isOmitted),
          onFailure: (error) => users.failure(error),
          onRecovery: () => users.recovery(),
        }),
      onClosed: () => {
        if (this.#open.get(key) === open) this.#open.delete(key);
      },
    });
    this.#open.set(key, open);
    return open;
  }
}

interface OpenLogOptions {
  readonly key: string;
  readonly store: SessionStore;
  readonly open: (users: Users) => Promise<EventLog>;
  readonly onClosed: () => void;
}

/** Those who use one event log. */
class Users {
  readonly all = new Set<UseEventLogOptions>();
  /** The number of the last event. */
  last = 0;

  event(event: LoggedEvent, isOmitted?: boolean): void {
    this.last = event.seq;
    for (const { onEvent, onStored } of this.all) {
      onEvent?.(event);
      if (isOmitted !== true) onStored?.(event);
    }
  }

  failure(error: Error): void {
    for (const { onFailure } of this.all) onFailure?.(error);
  }

  recovery(): void {
    for (const { onRecovery } of this.all) onRecovery?.();
  }
}

/** One event log that is open, or is being opened or closed. */
class OpenLog {
  readonly #options: OpenLogOptions;
  readonly #users = new Users();
  #log: Promise<EventLog> | undefined;
  #joining = 0;
  #closing: Promise<void> | undefined;

  constructor(options: OpenLogOptions) {
    this.#options = options;
  }

  /** Settles when it is closed, if it is being closed. */
  async isClosed(): Promise<boolean> {
    await this.#closing;
    return this.#closing !== undefined;
  }

  async join(user: UseEventLogOptions): Promise<EventLog> {
    this.#joining += 1;
    try {
      const log = await this.#opened(user);
      return this.#used(log, user);
    } catch (error) {
      this.#users.all.delete(user);
      throw error;
    } finally {
      this.#joining -= 1;
      void this.#leave();
    }
  }

  /** Closes it, for all its users. */
  async end(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #opened(user: UseEventLogOptions): Promise<EventLog> {
    if (this.#log === undefined) {
      this.#users.all.add(user);
      this.#log = this.#options.open(this.#users);
      return this.#log;
    }
    const log = await this.#log;
    if (user.onEvent === undefined) this.#users.all.add(user);
    else await this.#sendEarlier(log, user, user.onEvent);
    return log;
  }

  /** What was written before it joined is read from the file; what is added meanwhile waits. */
  async #sendEarlier(
    log: EventLog,
    user: UseEventLogOptions,
    onEvent: (event: LoggedEvent) => void,
  ): Promise<void> {
    const { last } = this.#users;
    let added: LoggedEvent[] | undefined = [];
    const later: UseEventLogOptions = {
      ...user,
      onEvent: (event) => (added === undefined ? onEvent(event) : void added.push(event)),
    };
    this.#users.all.add(later);
    await log.stored();
    const { key, store } = this.#options;
    await store.read(key, (event) => {
      if (event.seq <= last) onEvent(event);
    });
    for (const event of added) onEvent(event);
    added = undefined;
    // From here on it is the user's own, and goes when they leave.
    this.#users.all.delete(later);
    this.#users.all.add(user);
  }

  #used(log: EventLog, user: UseEventLogOptions): EventLog {
    let leaving: Promise<void> | undefined;
    const close = (): Promise<void> => {
      leaving ??= Promise.resolve(log.stored())
        .catch(() => undefined)
        .then(() => {
          this.#users.all.delete(user);
          return this.#leave();
        });
      return leaving;
    };
    return {
      key: log.key,
      lost: log.lost,
      append: (entry, updateText) => log.append(entry, updateText),
      appendNow: (entry, options) => log.appendNow(entry, options),
      ready: () => log.ready(),
      stored: (pace) => log.stored(pace),
      onFailure: (listener) => log.onFailure(listener),
      close,
      [Symbol.asyncDispose]: close,
    };
  }

  #leave(): Promise<void> | undefined {
    if (this.#users.all.size === 0 && this.#joining === 0) this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await (await this.#log)?.close();
    } catch {
      // It could not be opened: the opening has rejected with the reason.
    } finally {
      this.#options.onClosed();
    }
  }
}
