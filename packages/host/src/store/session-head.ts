import type { EventLogStart, EventStamp } from '../event/logged-event.ts';

/** The start of a session's event log, and the time of its last write. */
export interface SessionHead {
  readonly key: string;
  readonly start: EventStamp & EventLogStart;
  /** The agent's first id for the session. */
  readonly sessionId?: string;
  /** In milliseconds since 1970. */
  readonly updatedAt: number;
}

/** The process that owns a session. */
export interface SessionOwner {
  /** For messages: `process 4711`. */
  readonly name: string;
  /** Of a process on this machine. */
  readonly pid?: number;
  /** It is this process. */
  readonly isThis: boolean;
}

/** Data stored with a session besides its events, such as its queue. Readers have to validate it. */
export type SessionColumns = Readonly<Record<string, unknown>>;
