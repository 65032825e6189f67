/**
 * A store of sessions: an append-only list of records for each. Records are opaque JSON without line breaks, and
 * never contain secrets in plain text.
 */
export interface AapSessionStore {
  /** Lists all sessions with their heads, unordered. */
  list(): AsyncIterable<StoredAapSession>;
  /** Returns the last `head` of a session; undefined if the session does not exist. Reads no records. */
  head(sessionId: string): unknown;
  /**
   * Passes all records of a session to `take`, oldest first, and awaits its promises, so that a slow consumer limits
   * reading. An error thrown by `take` ends the reading.
   *
   * @returns Whether the session exists.
   */
  read(sessionId: string, take: (record: unknown) => void | Promise<void>): Promise<boolean>;
  /**
   * Appends records in order, all or none. The first call for an id creates the session.
   *
   * @returns A promise if the store is behind, or if the records must be `durable`: it settles when they are synced
   * to disk, and rejects if they could not be stored.
   */
  append(sessionId: string, records: readonly unknown[], options?: AppendOptions): void | Promise<void>;
  /**
   * Creates a session while no other process does so here, with a `list` of all that the others have created so far. Returns its id, which may be that of
   * a listed session. @default no other process creates sessions in it
   */
  createAlone?(create: () => Promise<string>): Promise<string>;
  /** Whether another process stores the session now: its turn is not this server's to end. @default no other does */
  isElsewhere?(sessionId: string): boolean;
  /** Removes a session and everything stored for it. */
  remove(sessionId: string): Promise<void>;
  /** Syncs everything to disk and releases all resources. */
  close(): Promise<void>;
}

/** Options of `append`. */
export interface AppendOptions {
  /** Whether the records must survive a failure of the machine. @default false */
  readonly durable?: boolean;
  /** The new head of the session, for lists. @default unchanged */
  readonly head?: unknown;
}

/** A session in a list. */
export interface StoredAapSession {
  readonly sessionId: string;
  /** The last `head` of the session. */
  readonly head: unknown;
}
