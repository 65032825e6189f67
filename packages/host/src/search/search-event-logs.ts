import { values } from '../state/list.ts';
import type { SessionHead } from '../store/session-head.ts';
import type { SessionStore } from '../store/session-store.ts';
import { readSession } from '../store/stored-session.ts';
import { textOfItem, type SearchRole } from './item-text.ts';
import { mayHold } from './may-hold.ts';
import type { SearchPattern } from './search-pattern.ts';

/** One place where it was found. */
export interface SearchHit {
  readonly session: SessionHead;
  /** What that session is called. */
  readonly title?: string;
  /** The number of the first event of the matching message or call. */
  readonly seq: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly role: SearchRole;
  /** The text around the match, which is from `start` to `end`. */
  readonly excerpt: string;
  readonly start: number;
  readonly end: number;
}

/** Options of {@link searchEventLogs}. */
export interface SearchEventLogsOptions {
  /** Receives an event log that cannot be read; the others are searched. */
  readonly onUnreadable?: (session: SessionHead, error: unknown) => void;
  /** Stops the search after the current session. @default all sessions are searched */
  readonly signal?: AbortSignal;
}

/**
 * Searches sessions in the given order: messages, tool calls and file contents. Returns one hit per message or call.
 */
export async function* searchEventLogs(
  store: SessionStore,
  sessions: readonly SessionHead[],
  pattern: SearchPattern,
  { onUnreadable, signal }: SearchEventLogsOptions = {},
): AsyncGenerator<SearchHit, void, undefined> {
  for (const session of sessions) {
    if (signal?.aborted === true) return;
    try {
      if (!(await mayHold(store, session.key, pattern))) continue;
      yield* await searchSession(store, session, pattern);
    } catch (error) {
      if (onUnreadable === undefined) throw error;
      onUnreadable(session, error);
    }
  }
}

async function searchSession(
  store: SessionStore,
  session: SessionHead,
  { regex }: SearchPattern,
): Promise<readonly SearchHit[]> {
  const { state, title, failure } = await readSession(store, session);
  if (failure !== undefined) throw failure;
  const hits: SearchHit[] = [];
  const conversations = [state, ...Array.from(values(state.subagents), ({ conversation }) => conversation)];
  for (const conversation of conversations) {
    for (const item of values(conversation.items)) {
      const found = textOfItem(item, conversation);
      const match = found === undefined ? null : regex.exec(found.text);
      if (found === undefined || match === null || match[0] === '') continue;
      hits.push({
        session,
        ...(title !== undefined && { title }),
        seq: item.seq,
        time: item.time,
        role: found.role,
        ...excerptAround(found.text, match.index, match.index + match[0].length),
      });
    }
  }
  return hits;
}

/** Characters of the text before and after a match that are returned. */
const aroundLimit = 80;
/** Characters of the match that are returned. */
const matchLimit = 400;

function excerptAround(
  text: string,
  from: number,
  to: number,
): { readonly excerpt: string; readonly start: number; readonly end: number } {
  const before = text.slice(Math.max(0, from - aroundLimit), from);
  const match = text.slice(from, Math.min(to, from + matchLimit));
  const behind = text.slice(to, to + aroundLimit);
  const start = before.length;
  return { excerpt: `${before}${match}${behind}`, start, end: start + match.length };
}
