import type { LostRecords } from '@parley/workspace';
import type { LoggedEvent } from '../event/logged-event.ts';
import type { EventLog, OpenEventLogOptions } from './event-log.ts';
import type { SessionColumns, SessionHead, SessionOwner } from './session-head.ts';
import type { SessionIndex } from './session-index.ts';

/**
 * Stores sessions. Each has a key, an event log, a lease that says which process owns it, and columns. The owner appends
 * events; all others read and follow them. An implementation passes `sessionStoreContract` of `@parley/conformance`.
 *
 * A log, its lease and its columns belong to one key so that a store with transactions can change them in one.
 */
export interface SessionStore {
  /** The sessions, the one written last first. A session that cannot be read is left out. */
  list(options?: ListSessionsOptions): Promise<readonly SessionHead[]>;
  /** Undefined when there is no such session. */
  head(key: string): Promise<SessionHead | undefined>;
  /** The sessions as they change. */
  index(onChange: (key: string) => void): SessionIndex;
  /** The process that holds the lease; undefined when the session is open nowhere. */
  owner(key: string): Promise<SessionOwner | undefined>;
  /**
   * Takes the lease of a session and opens its event log for appending; a new session begins. When the owner before ended in
   * the middle, an `interruption` event says so.
   *
   * @throws {HostError} `already-open`: another owner holds the lease.
   * @throws {WorkspaceError} The event log cannot be read, created or written. Nothing is left of a new one.
   */
  open(key: string, options: OpenEventLogOptions): Promise<EventLog>;
  /**
   * Reads the events of a session up to the last one stored now.
   *
   * @param read Receives each event, in order; a promise is awaited, and what it throws ends the reading.
   * @throws {WorkspaceError} There is no such session, or it cannot be read.
   */
  read(
    key: string,
    read: (event: LoggedEvent) => void | Promise<void>,
    options?: ReadEventsOptions,
  ): Promise<LostRecords>;
  /**
   * The stored events after a number, then each as soon as it is stored, once and in order, whichever process appends it. The
   * first part comes even when it is empty. When the owner ended in the middle of a turn, the `interruption` comes that the
   * next one stores.
   */
  follow(key: string, options: FollowEventsOptions): AsyncGenerator<EventPart, void, undefined>;
  /** Removes a session with all that belongs to it. While it has an owner nothing is removed: that is returned. */
  remove(key: string): Promise<{ readonly owner?: SessionOwner }>;
  /** Unreadable columns are no columns. */
  columns(key: string): Promise<SessionColumns>;
  /** Replaces the columns of a session. */
  setColumns(key: string, columns: SessionColumns): Promise<void>;
  /**
   * Stores the whole event log of a session that is elsewhere, with numbers and times as they are: all of it or nothing.
   *
   * @param write Appends the events, in order, the first one first.
   * @throws {HostError} `already-open`: the session exists.
   */
  restore(
    key: string,
    write: (append: (event: LoggedEvent) => Promise<void> | undefined) => Promise<void>,
  ): Promise<void>;
  /**
   * The folder on this machine for files about a session, such as recorded frames. It is removed with the session.
   *
   * @throws {TypeError} The key cannot be one.
   */
  folderOf(key: string): string;
}

/** How sessions are listed. */
export interface ListSessionsOptions {
  /** Receives a session that is left out because it cannot be read, by what names it to a user. */
  readonly onUnreadable?: (name: string, error: unknown) => void;
}

/** Which events are read. */
export interface ReadEventsOptions {
  /** The number of the last event that is known already. @default none is */
  readonly after?: number;
  /**
   * Whether to read a record, by its JSON; a store may read more. A record is an event, or several updates in a row.
   * @default all
   */
  readonly wants?: (json: string) => boolean;
}

/** Which events are followed, and how long. */
export interface FollowEventsOptions {
  /** Ends following. */
  readonly signal: AbortSignal;
  /** The number of the last event that is known already. @default none is */
  readonly after?: number;
}

/** Events that arrived together. */
export interface EventPart {
  readonly events: readonly LoggedEvent[];
  /** No event was stored after them at that time. */
  readonly isAtEnd: boolean;
}
