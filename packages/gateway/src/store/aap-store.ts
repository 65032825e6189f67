import type { AapSessionStore } from '@parley/aap/server';

/** A store of AAP sessions. */
export interface AapStore extends AapSessionStore {
  /** Number of sessions that were converted from the previous version. */
  readonly converted: number;
  /** Whether the listed fields of a session have changed since the store was opened, or may change in another process. */
  wasChanged(sessionId: string): boolean;
  /** Another process owns a session now, or may have owned it: it is read again, and its event log opened again. */
  lose(sessionId: string): void;
  /**
   * Calls a function with each session that was created, changed in a listed field, or removed. Returns a function
   * that stops this.
   */
  listen(listener: (sessionId: string) => void): () => void;
}
