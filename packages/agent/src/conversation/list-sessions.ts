import { invalidParams } from '@parley/acp';
import type {
  ListSessionsRequest,
  ListSessionsResponse,
  SessionArchiveFilter,
  SessionInfo,
} from '@parley/acp/unstable';
import { isConversationRecord } from './record/conversation-record.ts';
import type { ConversationRecord } from './record/conversation-record.ts';
import type { ConversationEntry, ConversationStore } from './record/conversation-store.ts';

/** Options of a list. */
export interface ListOptions {
  readonly store: ConversationStore;
  readonly pageSize: number;
  /** Whether to list a session although it has no messages yet. */
  readonly isOpen: (id: string) => boolean;
  /** One form for each way to write a path. */
  readonly toAbsolutePath: (path: string) => string;
}

/** One page of the stored sessions, those written last first. */
export async function listSessions(
  { cwd, cursor, archived = 'exclude' }: ListSessionsRequest,
  { store, pageSize, isOpen, toAbsolutePath }: ListOptions,
): Promise<ListSessionsResponse> {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const wanted = cwd === undefined ? undefined : toAbsolutePath(cwd);
  const entries = (await store.entries()).toSorted(newestFirst);
  const isListed = toArchiveFilter(archived);
  const rest = entries.filter(
    (entry) => isListed(entry) && (after === undefined || newestFirst(after, entry) < 0),
  );
  const sessions: SessionInfo[] = [];
  let last: ConversationEntry | undefined;
  for (const entry of rest) {
    if (sessions.length === pageSize && last !== undefined) {
      return { sessions, nextCursor: toCursor(last) };
    }
    // A conversation that cannot be read is not offered.
    const info = await readInfo(store, entry, isOpen(entry.id)).catch(() => undefined);
    if (info === undefined || (wanted !== undefined && toAbsolutePath(info.cwd) !== wanted)) continue;
    sessions.push(info);
    last = entry;
  }
  return { sessions };
}

/** @throws {RpcError} -32602: an unknown filter, which must not count as another one. */
function toArchiveFilter(filter: SessionArchiveFilter): (entry: ConversationEntry) => boolean {
  switch (filter) {
    case 'exclude':
      return ({ isArchived }) => isArchived !== true;
    case 'include':
      return () => true;
    case 'only':
      return ({ isArchived }) => isArchived === true;
    default:
      throw invalidParams('archived', '"exclude", "include" or "only"');
  }
}

function newestFirst(left: ConversationEntry, right: ConversationEntry): number {
  if (left.updatedAt !== right.updatedAt) return left.updatedAt < right.updatedAt ? 1 : -1;
  return left.id < right.id ? -1 : left.id === right.id ? 0 : 1;
}

/** The list entry of a conversation; undefined if it has no messages, or its file is not that of a conversation. */
async function readInfo(
  store: ConversationStore,
  { id, updatedAt, title, isArchived = false }: ConversationEntry,
  isOpen: boolean,
): Promise<SessionInfo | undefined> {
  const beginning: ConversationRecord[] = [];
  await store.peek(id, (record) => {
    if (isConversationRecord(record)) beginning.push(record);
    return beginning.at(-1)?.type === 'title' ? 'enough' : 'more';
  });
  const head = beginning.find((record) => record.type === 'session');
  const first = beginning.find((record) => record.type === 'title');
  if (head?.id !== id || (first === undefined && !isOpen)) return undefined;
  const shown = title ?? first?.title;
  const { directories } = beginning.findLast((record) => record.type === 'directories') ?? head;
  return {
    sessionId: id,
    cwd: head.cwd,
    updatedAt,
    ...(directories.length > 0 && { additionalDirectories: directories }),
    ...(shown !== undefined && { title: shown }),
    archived: isArchived,
  };
}

function toCursor({ updatedAt, id }: ConversationEntry): string {
  return btoa(JSON.stringify([updatedAt, id]));
}

/** Parses a cursor. @throws {RpcError} It did not come from this agent. */
function parseCursor(cursor: string): ConversationEntry {
  try {
    const value: unknown = JSON.parse(atob(cursor));
    if (isList(value) && value.length === 2) {
      const [updatedAt, id] = value;
      if (typeof updatedAt === 'string' && typeof id === 'string') return { updatedAt, id };
    }
  } catch {
    // Said below, for each kind of wrong cursor alike.
  }
  throw invalidParams('cursor', 'a cursor of an earlier page');
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
