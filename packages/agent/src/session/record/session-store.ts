import type { SessionRecord } from './session-record.ts';

/** Where sessions are kept beyond a connection. Of one session there is one writer, in all processes. */
export interface SessionStore {
  /** The log of a new session. */
  create(id: string): Promise<SessionLog>;
  /**
   * Goes on with a session. Undefined when there is none with exactly this id.
   *
   * @param read Takes each record, in order; a promise is waited for, and what it throws ends the opening.
   * @throws {AgentError} `session-busy`: another process has it open. `session-damaged`: it cannot be read.
   */
  open(id: string, read: (record: unknown) => void | Promise<void>): Promise<SessionLog | undefined>;
  /**
   * Reads a session until `read` says that it has enough; one that is gone meanwhile has no records. It may be open.
   *
   * @param read A promise is waited for, and what it throws ends the reading.
   */
  peek(id: string, read: (record: unknown) => PeekAnswer | Promise<PeekAnswer>): Promise<void>;
  /** All sessions that are kept, in no order. */
  entries(): Promise<readonly SessionEntry[]>;
  /** One that is not there is removed already. Throws `session-busy` as `open` does. */
  remove(id: string): Promise<void>;
  /** The time, ISO 8601. */
  now(): string;
}

/** Whether a reader of a session goes on. */
export type PeekAnswer = 'more' | 'enough';

/** One session of a store. */
export interface SessionEntry {
  readonly id: string;
  /** When something was written last, ISO 8601. */
  readonly updatedAt: string;
}

/** What happens in one session is written here. */
export interface SessionLog {
  /** What could not be read any more when it was opened. */
  readonly lost: { readonly tailBytes: number; readonly damagedLines: number };
  /** Throws when the record is `too-large`, or when too much waits for a log that cannot be written. */
  append(record: SessionRecord): void;
  /** Settles when all that was appended survives the end of this process. Rejects when it does not, and may later. */
  flush(): Promise<void>;
  /** Settles when all that was appended is on the disk, and survives the end of the machine. */
  sync(): Promise<void>;
  /** Writes what is left; others may open the session then. */
  close(): Promise<void>;
}
