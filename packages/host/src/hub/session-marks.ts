/** How the user of a token can mark a session in their list. */
export type SessionMark = 'pinned' | 'archived';

/** The sessions that the user of a token marked, by their keys. A session has one mark at most. */
export type MarkedSessions = Readonly<Record<SessionMark, readonly string[]>>;

/** Which sessions are marked, in place of the marks that they have. */
export interface MarkParams {
  readonly sessionIds: readonly string[];
  /** @default their marks are removed */
  readonly mark?: SessionMark;
}
