import type { SessionColumns, SessionHead } from './session-head.ts';

/** The sessions of a store, as they change. What was read once is read again only when it has changed. */
export interface SessionIndex {
  readonly all: readonly IndexedSession[];
  get(key: string): IndexedSession | undefined;
  /** Looks for changes everywhere. Titles of sessions that were not read before follow later. */
  look(): Promise<void>;
  /** Looks for changes, at sessions that have been quiet for long in turns. Never rejects. */
  glance(): Promise<void>;
  /** Looks for changes of one session. Undefined when there is no such session. */
  find(key: string): Promise<IndexedSession | undefined>;
  /** Forgets a session that was removed. */
  remove(key: string): void;
  /** Settles when the titles have been read. */
  settled(): Promise<void>;
}

/** A session, as far as an index reads it. */
export interface IndexedSession {
  readonly key: string;
  readonly head: SessionHead;
  /** What its agent calls it, else how its first prompt begins. */
  readonly title?: string;
  readonly updatedAt: number;
  /** Another process owns it. */
  readonly isElsewhere: boolean;
  /** The last head of a session of an application, where the store has it at hand. */
  readonly applicationHead?: unknown;
  /** The columns at the time it was found. */
  readonly columns: SessionColumns;
}
