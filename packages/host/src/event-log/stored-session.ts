import { stat } from 'node:fs/promises';
import type { LockHolder, LostRecords } from '@parley/workspace';
import { reduce } from '../view/reduce.ts';
import { emptyView, type View } from '../view/view.ts';
import type { LoggedEvent } from './event-log-event.ts';
import { eventLogFile, eventLogWriter, readEventLog } from './event-log-file.ts';
import { unfinishedAfter, type Unfinished } from './unfinished.ts';

/** A session as its event log tells it. */
export interface StoredSession {
  /** The session's folder. */
  readonly folder: string;
  readonly view: View;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  readonly updatedAt: number;
  /** Who writes the event log now; without one the session is open nowhere. */
  readonly writer?: LockHolder;
  readonly lost: LostRecords;
  /** Why the rest of it could not be read; the view is of what stands before. */
  readonly failure?: Error;
}

/** How much of a session is read. */
export interface ReadSessionOptions {
  /**
   * `outline`: only how it went, without what the agent said and did. Title, turns, state and what the person said are
   * in its view. @default 'whole'
   */
  readonly extent?: 'whole' | 'outline';
}

/**
 * Reads a session from its event log. What a writer left in the middle that is there no more is shown as interrupted, as
 * the next opening would say it.
 *
 * @throws {WorkspaceError} There is no such event log, or nothing of it can be read.
 */
export async function readSession(
  folder: string,
  { extent = 'whole' }: ReadSessionOptions = {},
): Promise<StoredSession> {
  // Asked before as well: a writer that lets go while we read has written its last words behind where we looked.
  const before = await eventLogWriter(folder);
  const { mtimeMs } = await stat(eventLogFile(folder));
  let view = emptyView;
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
    lost = await readEventLog(folder, take, extent === 'outline' ? { wants: isInOutline } : {});
  } catch (error) {
    if (startedAt === undefined) throw error;
    failure = error instanceof Error ? error : new Error(String(error));
  }
  const writer = before ?? (await eventLogWriter(folder));
  const updatedAt = Math.floor(mtimeMs);
  return {
    folder,
    view: writer === undefined ? interrupted(view, unfinished, updatedAt, lost) : view,
    startedAt: startedAt ?? updatedAt,
    updatedAt,
    ...(writer !== undefined && { writer }),
    lost,
    ...(failure !== undefined && { failure }),
  };
}

const nothingLost: LostRecords = { tailBytes: 0, damagedLines: 0 };

function interrupted(view: View, { turnId, sessionId }: Unfinished, time: number, lost: LostRecords): View {
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

/** Whether an event tells how a session went, by its JSON; the type comes first, as we write it. */
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
