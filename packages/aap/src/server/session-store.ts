/**
 * Where a server keeps its sessions: for each a list of records that only grows. What a record holds is the server's
 * business: JSON, without line breaks of its own, without secrets in plain.
 */
export interface SessionStore {
  /** All sessions there are, by their heads, in no order. */
  list(): AsyncIterable<StoredSession>;
  /** What was given last as `head` of one session; undefined when there is no such session. Reads none of its records. */
  head(sessionId: string): unknown;
  /**
   * Hands over all records of a session, oldest first. A promise is waited for, so that little is read ahead of a slow taker;
   * what `take` throws ends the reading.
   *
   * @returns Whether there is such a session.
   */
  read(sessionId: string, take: (record: unknown) => void | Promise<void>): Promise<boolean>;
  /**
   * Adds records, in order, all or none. The first call for an id makes the session.
   *
   * @returns A promise when the store is behind, or when the records are to be `durable`: it settles when they are on
   *   the disk. It rejects when they could not be kept.
   */
  append(sessionId: string, records: readonly unknown[], options?: AppendOptions): void | Promise<void>;
  /** Removes a session, and all that is kept of it. */
  remove(sessionId: string): Promise<void>;
  /** Releases everything, when all is on disk. */
  close(): Promise<void>;
}

/** How records are added. */
export interface AppendOptions {
  /** They must survive a failure of the machine. @default false */
  readonly durable?: boolean;
  /** What a list needs to know of the session from now on. @default as it was */
  readonly head?: unknown;
}

/** A session in a list. */
export interface StoredSession {
  readonly sessionId: string;
  /** What was given last as `head`. */
  readonly head: unknown;
}
