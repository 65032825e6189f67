import type { ConversationRecord } from './conversation-record.ts';

/** Stores conversations beyond a connection. Only one process at a time can write to a conversation. */
export interface ConversationStore {
  /** Creates the log of a new conversation. */
  create(id: string): Promise<ConversationLog>;
  /**
   * Opens an existing conversation. Undefined if no conversation has exactly this id.
   *
   * @param read Receives each record in order; promises are awaited, and a thrown error ends the opening.
   * @throws {AgentError} `session-busy`: another process has it open. `session-damaged`: it cannot be read.
   */
  open(id: string, read: (record: unknown) => void | Promise<void>): Promise<ConversationLog | undefined>;
  /**
   * Reads a conversation, which may be open, until `read` returns that it has enough. A conversation that was removed meanwhile
   * has no records.
   *
   * @param read Promises are awaited, and a thrown error ends the reading.
   */
  peek(id: string, read: (record: unknown) => PeekAnswer | Promise<PeekAnswer>): Promise<void>;
  /** Lists all stored conversations, unordered. */
  entries(): Promise<readonly ConversationEntry[]>;
  /** Whether a conversation with exactly this id exists. */
  has(id: string): Promise<boolean>;
  /** Returns the marks of a conversation. */
  marksOf(id: string): Promise<ConversationMarks>;
  /** Changes marks of a conversation, which may be open anywhere; the time of its last write stays. */
  mark(id: string, marks: ConversationMarks): Promise<void>;
  /** Removes a conversation if it exists. Throws `session-busy` like `open`. */
  remove(id: string): Promise<void>;
  /** Returns the time, ISO 8601. */
  now(): string;
}

/** Whether to continue reading a conversation. */
export type PeekAnswer = 'more' | 'enough';

/** What clients decided about a conversation, in addition to its records. */
export interface ConversationMarks {
  /** @default its own */
  readonly title?: string;
  /** @default false */
  readonly isArchived?: boolean;
}

/** One conversation of a store. */
export interface ConversationEntry extends ConversationMarks {
  readonly id: string;
  /** The time of the last write, ISO 8601. */
  readonly updatedAt: string;
}

/** The log of one conversation. */
export interface ConversationLog {
  /** The data that could not be read when the log was opened. */
  readonly lost: { readonly tailBytes: number; readonly damagedLines: number };
  /**
   * Appends a record. Throws if the record is `too-large`, or if too many records wait for a log that cannot be
   * written.
   */
  append(record: ConversationRecord): void;
  /** Settles when all records survive the end of this process. Rejects if they do not yet. */
  flush(): Promise<void>;
  /** Settles when all records are synced to disk, and survive a failure of the machine. */
  sync(): Promise<void>;
  /** Writes pending records and releases the conversation. */
  close(): Promise<void>;
}
