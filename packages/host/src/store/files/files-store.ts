import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { followLog, replaceFile, type LostRecords } from '@parley/workspace';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { EventLog, OpenEventLogOptions } from '../event-log.ts';
import { followEvents } from '../records/follow-events.ts';
import { LiveFeed } from '../records/live-feed.ts';
import type { SessionColumns, SessionHead, SessionOwner } from '../session-head.ts';
import type { SessionIndex } from '../session-index.ts';
import { isSessionKey } from '../session-key.ts';
import type {
  EventPart,
  FollowEventsOptions,
  ListSessionsOptions,
  ReadEventsOptions,
  SessionStore,
} from '../session-store.ts';
import { eventLogFile, eventLogFormat, eventLogLineBytes, ownerIn, readEventLog } from './event-log-file.ts';
import { createFileSessionIndex } from './file-session-index.ts';
import { openEventLog } from './open-event-log.ts';
import { removeSession } from './remove-session.ts';
import { restoreEventLog } from './restore-event-log.ts';
import { listSessions, readSessionHead } from './session-list.ts';

/** A store that has a folder for each session. */
export interface FilesStore extends SessionStore {
  readonly directory: string;
}

/** Stores sessions below a directory, which need not exist. Several stores, also of several processes, may share it. */
export function filesStore(directory: string): FilesStore {
  return new SessionFolders(directory);
}

class SessionFolders implements FilesStore {
  readonly directory: string;
  /** Of the sessions that have an owner or a follower here. */
  readonly #feeds = new Map<string, LiveFeed>();

  constructor(directory: string) {
    this.directory = directory;
  }

  folderOf(key: string): string {
    // A key leads nowhere else.
    if (!isSessionKey(key)) throw new TypeError(`${JSON.stringify(key)} cannot be the key of a session`);
    return join(this.directory, key);
  }

  list(options?: ListSessionsOptions): Promise<readonly SessionHead[]> {
    return listSessions(this.directory, options);
  }

  async head(key: string): Promise<SessionHead | undefined> {
    return isSessionKey(key) ? readSessionHead(this.folderOf(key)) : undefined;
  }

  index(onChange: (key: string) => void): SessionIndex {
    return createFileSessionIndex(this, onChange);
  }

  async owner(key: string): Promise<SessionOwner | undefined> {
    return ownerIn(this.folderOf(key));
  }

  async open(key: string, options: OpenEventLogOptions): Promise<EventLog> {
    const folder = this.folderOf(key);
    return openEventLog(folder, { ...options, key, feed: this.#feedOf(key) });
  }

  async read(
    key: string,
    read: (event: LoggedEvent) => void | Promise<void>,
    options?: ReadEventsOptions,
  ): Promise<LostRecords> {
    return readEventLog(this.folderOf(key), read, options);
  }

  async *follow(key: string, options: FollowEventsOptions): AsyncGenerator<EventPart, void, undefined> {
    const folder = this.folderOf(key);
    const log = { format: eventLogFormat, maxLineBytes: eventLogLineBytes };
    const stored = {
      owner: () => ownerIn(folder),
      follow: (part: { readonly from: number; readonly signal: AbortSignal }) =>
        followLog(eventLogFile(folder), { ...log, ...part }),
    };
    yield* followEvents(stored, this.#feedOf(key), options);
  }

  #feedOf(key: string): LiveFeed {
    const known = this.#feeds.get(key);
    if (known !== undefined) return known;
    const feed = new LiveFeed(() => this.#feeds.delete(key));
    this.#feeds.set(key, feed);
    return feed;
  }

  async remove(key: string): Promise<{ readonly owner?: SessionOwner }> {
    return removeSession(this.folderOf(key));
  }

  restore(
    key: string,
    write: (append: (event: LoggedEvent) => Promise<void> | undefined) => Promise<void>,
  ): Promise<void> {
    return restoreEventLog(this.folderOf(key), write);
  }

  async columns(key: string): Promise<SessionColumns> {
    try {
      const value: unknown = JSON.parse(await readFile(columnsFile(this.folderOf(key)), 'utf8'));
      return typeof value === 'object' && value !== null ? { ...value } : {};
    } catch {
      // Most sessions have none.
      return {};
    }
  }

  async setColumns(key: string, columns: SessionColumns): Promise<void> {
    await replaceFile(columnsFile(this.folderOf(key)), JSON.stringify({ version: 1, ...columns }));
  }
}

/** Its name is from before. */
function columnsFile(folder: string): string {
  return join(folder, 'desk.json');
}
