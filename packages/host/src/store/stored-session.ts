import type { LostRecords } from '@parley/workspace';
import type { LoggedEvent } from '../event/logged-event.ts';
import { reduce } from '../state/reduce.ts';
import { emptyState, type SessionState } from '../state/session-state.ts';
import type { SessionHead, SessionOwner } from './session-head.ts';
import type { SessionStore } from './session-store.ts';
import { unfinishedAfter, type Unfinished } from './unfinished.ts';

/** A session as its event log has it. */
export interface StoredSession {
  readonly view: SessionState;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  readonly updatedAt: number;
  /** Without an owner the session is open nowhere. */
  readonly owner?: SessionOwner;
  readonly lost: LostRecords;
  /** Why the rest of it could not be read; the view is of what stands before. */
  readonly failure?: Error;
}

/** How much of a session is read. */
export interface ReadSessionOptions {
  /**
   * `outline`: only how it went, without what the agent said and did. Title, turns, state and what the user said are
   * in its view. @default 'whole'
   */
  readonly extent?: 'whole' | 'outline';
}

/**
 * Reads a session from its event log. What an owner that has ended left in the middle is shown as interrupted, as the next
 * opening would say it.
 *
 * @throws {WorkspaceError} There is no such session any more, or nothing of it can be read.
 */
export async function readSession(
  store: SessionStore,
  { key, updatedAt: headUpdatedAt }: SessionHead,
  { extent = 'whole' }: ReadSessionOptions = {},
): Promise<StoredSession> {
  // Asked before as well: an owner that closes the log while we read has written its last events behind where we looked.
  const before = await store.owner(key);
  let view = emptyState;
  let unfinished: Unfinished = {};
  let startedAt: number | undefined;
  const take = (event: LoggedEvent): void => {
    unfinished = unfinishedAfter(unfinished, event);
    view = reduce(view, event);
    startedAt ??= event.time;
  };
  let failure: Error | undefined;
  let lost: LostRecords = nothingLost;
  try {
    lost = await store.read(key, take, extent === 'outline' ? { wants: isInOutline } : {});
  } catch (error) {
    if (startedAt === undefined) throw error;
    failure = error instanceof Error ? error : new Error(String(error));
  }
  const owner = before ?? (await store.owner(key));
  const updatedAt = Math.floor(headUpdatedAt);
  return {
    view: owner === undefined ? interrupted(view, unfinished, updatedAt, lost) : view,
    startedAt: startedAt ?? updatedAt,
    updatedAt,
    ...(owner !== undefined && { owner }),
    lost,
    ...(failure !== undefined && { failure }),
  };
}

const nothingLost: LostRecords = { tailBytes: 0, damagedLines: 0 };

function interrupted(
  view: SessionState,
  { turnId, sessionId }: Unfinished,
  time: number,
  lost: LostRecords,
): SessionState {
  if (turnId === undefined && sessionId === undefined) return view;
  return reduce(view, {
    seq: view.seq + 1,
    time,
    type: 'interruption',
    ...(turnId !== undefined && { turnId }),
    lostBytes: lost.tailBytes,
    damagedLines: lost.damagedLines,
  });
}

/** Whether an event shows how a session went, by its JSON; the type comes first, as we write it. */
function isInOutline(json: string): boolean {
  const start = json.indexOf(typeKey) + typeKey.length;
  const type = json.slice(start, json.indexOf('"', start));
  return type === 'update' ? json.includes('session_info_update') : !details.has(type);
}

const typeKey = '"type":"';

const details: ReadonlySet<string> = new Set([
  'file-write',
  'terminal-start',
  'terminal-end',
  'diagnostic',
  'settings',
]);
