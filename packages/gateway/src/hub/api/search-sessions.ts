import {
  createSearchPattern,
  searchEventLogs,
  type SearchHit,
  type SessionHead,
  type SessionStore,
} from '@parley/host';

/** A place in a session where it was found. */
export interface SessionHit extends Omit<SearchHit, 'session'> {
  readonly key: string;
  readonly agent: string;
}

/** Options of {@link searchSessions}. */
export interface SearchSessionsOptions {
  readonly limit: number;
  /** Aborted when the caller does not wait any more. */
  readonly signal: AbortSignal;
  /** The title that the user gave a session. */
  readonly titleOf: (key: string) => string | undefined;
}

/**
 * Searches sessions in the given order, until the limit of matches is reached. Sessions that cannot be read are
 * skipped.
 */
export async function searchSessions(
  store: SessionStore,
  sessions: readonly SessionHead[],
  words: string,
  { limit, signal, titleOf }: SearchSessionsOptions,
): Promise<readonly SessionHit[]> {
  const hits: SessionHit[] = [];
  if (words.trim() === '' || limit === 0) return hits;
  const found = searchEventLogs(store, sessions, createSearchPattern(words), {
    onUnreadable: () => undefined,
    signal,
  });
  for await (const { session, title: storedTitle, ...hit } of found) {
    const { key } = session;
    const { agent } = session.start;
    const title = titleOf(key) ?? storedTitle;
    hits.push({ key, agent, ...(title !== undefined && { title }), ...hit });
    if (hits.length >= limit) break;
  }
  return hits;
}
