import type { LostRecords } from '@parley/workspace';
import type { EventStore } from '../event/event-store.ts';
import type { EventLogStart, LoggedEntry, LoggedEvent } from '../event/logged-event.ts';

/** What an event log is opened with. */
export interface OpenEventLogOptions {
  /** What a new session is about; an existing one has said so. */
  readonly start: Omit<EventLogStart, 'type' | 'key'>;
  /** Receives each event, in order: the existing ones, then each that is appended. Must not throw. */
  readonly onEvent?: (event: LoggedEvent) => void;
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
  /** What was lost before it was opened. */
  readonly lost: LostRecords;
  /**
   * Appends an event, and returns it with its number. Never throws: `stored` rejects while it cannot be stored, and for good
   * once the lease is lost.
   *
   * @param updateText The update of an `update` as JSON in one line, where it is known: that text is stored.
   */
  append(entry: LoggedEntry, updateText?: string): LoggedEvent;
  /** A promise while more waits to be stored than should. Never rejects. */
  ready(): Promise<void> | undefined;
  /** Stores what is left, and releases the lease. Never rejects. */
  close(): Promise<void>;
}
