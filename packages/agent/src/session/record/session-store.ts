import type { SessionRecord } from './session-record.ts';

/** Stores sessions beyond a connection. Only one process at a time can write to a session. */
export interface SessionStore {
  /** Creates the log of a new session. */
  create(id: string): Promise<SessionLog>;
  /**
   * Opens an existing session. Undefined if no session has exactly this id.
   *
   * @param read Receives each record in order; promises are awaited, and a thrown error ends the opening.
   * @throws {AgentError} `session-busy`: another process has it open. `session-damaged`: it cannot be read.
   */
  open(id: string, read: (record: unknown) => void | Promise<void>): Promise<SessionLog | undefined>;
  /**
   * Reads a session, which may be open, until `read` returns that it has enough. A session that was removed meanwhile
   * has no records.
   *
   * @param read Promises are awaited, and a thrown error ends the reading.
   */
  peek(id: string, read: (record: unknown) => PeekAnswer | Promise<PeekAnswer>): Promise<void>;
  /** Lists all stored sessions, unordered. */
  entries(): Promise<readonly SessionEntry[]>;
  /** Whether a session with exactly this id exists. */
  has(id: string): Promise<boolean>;
  /** Returns the marks of a session. */
  marksOf(id: string): Promise<SessionMarks>;
  /** Changes marks of a session, which may be open anywhere; the time of its last write stays. */
  mark(id: string, marks: SessionMarks): Promise<void>;
  /** Removes a session if it exists. Throws `session-busy` like `open`. */
  remove(id: string): Promise<void>;
  /** Returns the time, ISO 8601. */
  now(): string;
}

/** Whether to continue reading a session. */
export type PeekAnswer = 'more' | 'enough';

/** What clients decided about a session, in addition to its records. */
export interface SessionMarks {
  /** @default its own */
  readonly title?: string;
  /** @default false */
  readonly isArchived?: boolean;
}

/** One session of a store. */
export interface SessionEntry extends SessionMarks {
  readonly id: string;
  /** The time of the last write, ISO 8601. */
  readonly updatedAt: string;
}

/** The log of one session. */
export interface SessionLog {
  /** The data that could not be read when the log was opened. */
  readonly lost: { readonly tailBytes: number; readonly damagedLines: number };
  /**
   * Appends a record. Throws if the record is `too-large`, or if too many records wait for a log that cannot be
   * written.
   */
  append(record: SessionRecord): void;
  /** Settles when all records survive the end of this process. Rejects if they do not yet. */
  flush(): Promise<void>;
  /** Settles when all records are synced to disk, and survive a failure of the machine. */
  sync(): Promise<void>;
  /** Writes pending records and releases the session. */
  close(): Promise<void>;
}
