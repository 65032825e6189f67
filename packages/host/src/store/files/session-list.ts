import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { WorkspaceError, type WorkspaceErrorCode } from '@parley/workspace';
import type { SessionHead } from '../session-head.ts';
import { isSessionKey } from '../session-key.ts';
import type { ListSessionsOptions } from '../session-store.ts';
import { eventLogFile, readEventLog } from './event-log-file.ts';

/** The sessions below a directory, the one written last first. What is no session is left out without a word. */
export async function listSessions(
  directory: string,
  { onUnreadable }: ListSessionsOptions = {},
): Promise<readonly SessionHead[]> {
  const heads: SessionHead[] = [];
  const keys = await foldersIn(directory);
  for (let from = 0; from < keys.length; from += readAtOnce) {
    const part = keys.slice(from, from + readAtOnce);
    const found = await Promise.all(part.map((key) => readHead(join(directory, key), onUnreadable)));
    heads.push(...found.filter((head) => head !== undefined));
  }
  return heads.toSorted((left, right) => right.updatedAt - left.updatedAt);
}

/** Reads a head; a failure must not hide the other sessions. */
async function readHead(
  folder: string,
  onUnreadable: ListSessionsOptions['onUnreadable'],
): Promise<SessionHead | undefined> {
  try {
    return await readSessionHead(folder);
  } catch (error) {
    onUnreadable?.(folder, error);
    return undefined;
  }
}

/** Reads the start of the event log in a folder; undefined if there is none. */
export async function readSessionHead(folder: string): Promise<SessionHead | undefined> {
  let start: SessionHead['start'] | undefined;
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
    return { key: basename(folder), start, ...(sessionId !== undefined && { sessionId }), updatedAt };
  } catch (error) {
    if (isMissing(error) || isForeign(error)) return undefined;
    throw error;
  }
}

/** Among how many events at the beginning the session's id is looked for. */
const headEvents = 16;

/** Sessions that are read at the same time. */
const readAtOnce = 16;

async function foldersIn(directory: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() && isSessionKey(entry.name) ? [entry.name] : []));
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
