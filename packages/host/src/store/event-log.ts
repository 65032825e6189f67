import type { LostRecords } from '@parley/workspace';
import type { EventStore } from '../event/event-store.ts';
import type { EventLogStart, LoggedEntry, LoggedEvent } from '../event/logged-event.ts';

/** What an event log is opened with. */
export interface OpenEventLogOptions {
  /** Fields of the first event of a new session; an existing one already has it. */
  readonly start: Omit<EventLogStart, 'type' | 'key'>;
  /**
   * Receives each event, in order: the existing ones, then each that is appended; `isOmitted` where an `omission` is stored in its place.
   * Must not throw.
   */
  readonly onEvent?: (event: LoggedEvent, isOmitted?: boolean) => void;
  /** Called each time storing begins to fail: events wait then, up to a bound, and are stored when it works again. */
  readonly onFailure: (error: Error) => void;
  /** Called when storing works again. */
  readonly onRecovery?: () => void;
  /** The time in milliseconds. @default the system's */
  readonly now?: () => number;
}

/** The event log of one session, held by its owner: the lease lasts until it is closed. */
export interface EventLog extends EventStore, AsyncDisposable {
  readonly key: string;
  /** Records that were lost before it was opened. */
  readonly lost: LostRecords;
  /**
   * Appends an event, and returns it with its number. Never throws: `stored` rejects while storing fails, and
   * permanently once the lease is lost.
   *
   * @param updateText The update of an `update` as JSON in one line, if available: this text is stored.
   */
  append(entry: LoggedEntry, updateText?: string): LoggedEvent;
  /**
   * Stores an event and all before it: synchronously if nothing else is being written, else it returns a promise. If
   * storing fails, the event is dropped and the error thrown.
   *
   * @param options `isDurable`: the event must survive a power failure.
   * @throws {WorkspaceError} Writing failed.
   */
  appendNow(entry: LoggedEntry, options?: { readonly isDurable?: boolean }): void | Promise<void>;
  /** A promise while more waits to be stored than should. Never rejects. */
  ready(): Promise<void> | undefined;
  /** Stores what is left, and releases the lease. Never rejects. */
  close(): Promise<void>;
}
