import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError, type WorkspaceErrorCode } from '@parley/workspace';
import type { EventStamp, EventLogStart } from './event-log-event.ts';
import { eventLogFile, readEventLog } from './event-log-file.ts';
import { isLogOf, type LoggedAgent } from './logged-agent.ts';

/** What an event log says at its beginning, and when something was added to it last. */
export interface EventLogHead {
  /** The session's folder. */
  readonly folder: string;
  readonly start: EventStamp & EventLogStart;
  /** What the agent called the session first. */
  readonly sessionId?: string;
  /** In milliseconds since 1970. */
  readonly updatedAt: number;
}

/** How event logs are listed. */
export interface ListEventLogsOptions {
  /** Told of an event log that is left out because it could not be read; what is no event log is not told. */
  readonly onUnreadable?: (folder: string, error: unknown) => void;
}

/** The event logs below a directory, the one that was written last first. What cannot be read as one is left out. */
export async function listEventLogs(
  directory: string,
  { onUnreadable }: ListEventLogsOptions = {},
): Promise<readonly EventLogHead[]> {
  const heads: EventLogHead[] = [];
  const keys = await foldersIn(directory);
  for (let from = 0; from < keys.length; from += readAtOnce) {
    const part = keys.slice(from, from + readAtOnce);
    const found = await Promise.all(part.map((key) => readHead(join(directory, key), onUnreadable)));
    heads.push(...found.filter((head) => head !== undefined));
  }
  return heads.toSorted((left, right) => right.updatedAt - left.updatedAt);
}

/** One that fails must not hide the others. */
async function readHead(
  folder: string,
  onUnreadable: ListEventLogsOptions['onUnreadable'],
): Promise<EventLogHead | undefined> {
  try {
    return await readEventLogHead(folder);
  } catch (error) {
    onUnreadable?.(folder, error);
    return undefined;
  }
}

/** A session as its agent knows it. */
export interface SessionInLogs extends LoggedAgent {
  readonly sessionId: string;
  /** Where it goes on: agents may use an id once for each folder. */
  readonly cwd?: string;
}

/** The event log of a session: where there are several, one of its folder, then the one that was written last. */
export async function findEventLog(
  directory: string,
  session: SessionInLogs,
): Promise<EventLogHead | undefined> {
  const heads = await listEventLogs(directory);
  const found = heads.filter(
    ({ start, sessionId }) => isLogOf(start, session) && sessionId === session.sessionId,
  );
  return found.find(({ start }) => start.cwd === session.cwd) ?? found[0];
}

/** Reads the beginning of an event log; undefined when there is none in that folder. */
export async function readEventLogHead(folder: string): Promise<EventLogHead | undefined> {
  let start: EventLogHead['start'] | undefined;
  let sessionId: string | undefined;
  let read = 0;
  const enough = new Error('enough');
  try {
    const { mtimeMs: updatedAt } = await stat(eventLogFile(folder));
    try {
      await readEventLog(folder, (event) => {
        if (event.type === 'journal-start') start = event;
        if (event.type === 'session') ({ sessionId } = event);
        read += 1;
        if (sessionId !== undefined || read === headEvents) throw enough;
      });
    } catch (error) {
      if (error !== enough) throw error;
    }
    if (start === undefined) return undefined;
    return { folder, start, ...(sessionId !== undefined && { sessionId }), updatedAt };
  } catch (error) {
    if (isMissing(error) || isForeign(error)) return undefined;
    throw error;
  }
}

/** Among how many events at the beginning the session's id is looked for. */
const headEvents = 16;

const readAtOnce = 16;

async function foldersIn(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Something else, or an event log of another version: not one to list. */
function isForeign(error: unknown): boolean {
  return error instanceof WorkspaceError && foreignCodes.has(error.code);
}

const foreignCodes: ReadonlySet<WorkspaceErrorCode> = new Set(['damaged', 'unsupported', 'not-found']);
