import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { filesStore, isSessionKey, SharedEventLogs, type FilesStore, type SessionStore } from '@parley/host';
import { takeLock, WorkspaceError, type SharedDocument } from '@parley/workspace';
import { GatewayError } from '../gateway-error.ts';
import type { AapStore } from './aap-store.ts';
import { SharedHeads } from './application-heads.ts';
import { convertStore, type ConvertStoreOptions } from './convert-store.ts';
import { EventLogStore } from './event-log-store.ts';
import { type HeadIndex, openHeadIndex } from './head-index.ts';
import { mayHoldRecords } from './logged-records.ts';
import { SharedCreations } from './shared-creations.ts';

/** Options of a store. */
export interface AapStoreOptions extends Partial<Pick<ConvertStoreOptions, 'ownerOf'>> {
  /** The event logs of all sessions, including those of applications. @default in the store's own folder */
  readonly eventLogs?: SharedEventLogs<FilesStore>;
  /** The directory of sessions without one. @default '/' */
  readonly cwd?: string;
  /** Event logs that are open at the same time; beyond that, the least recently used one is closed. @default 1024 */
  readonly openFiles?: number;
}

/**
 * Stores AAP sessions in the event logs of sessions, where they survive a failure of the process or the machine. An
 * index in the folder contains the listed fields. Only one process at a time can use a folder.
 *
 * @throws {GatewayError} `store-in-use`: another process uses it.
 */
export async function openAapStore(folder: string, options: AapStoreOptions = {}): Promise<AapStore> {
  const {
    eventLogs = new SharedEventLogs({ store: filesStore(path.join(folder, 'sessions')), program: 'parley' }),
    cwd = '/',
    openFiles = defaultOpenFiles,
    ownerOf = (owner) => owner,
  } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(eventLogs.store.directory, { recursive: true, mode: 0o700 });
  const lock = await takeLock(path.join(folder, 'lock'));
  if (!lock.isTaken) {
    const message = `open the store ${JSON.stringify(folder)}: process ${String(lock.holder.pid)} uses it`;
    throw new GatewayError('store-in-use', message);
  }
  try {
    const index = await openHeadIndex(folder);
    const converted = await convertStore(path.join(folder, 'sessions'), {
      eventLogs,
      cwd,
      ownerOf,
      onConverted: (sessionId, head) => {
        index.set(sessionId, { head, isOpen: false });
      },
    });
    await catchUp(index, eventLogs);
    return new EventLogStore({ index, eventLogs, cwd, openFiles, converted, release: lock.release });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Options of a store that several processes share. */
export interface SharedAapStoreOptions {
  readonly eventLogs: SharedEventLogs;
  /** The directory of sessions without one. */
  readonly cwd: string;
  /** In which the processes list the sessions that they create by repeatable requests. */
  readonly created: SharedDocument;
}

/** Stores AAP sessions in event logs that several processes share: each session is written by its owner. */
export async function openSharedAapStore({
  eventLogs,
  cwd,
  created,
}: SharedAapStoreOptions): Promise<AapStore> {
  const index = await SharedHeads.open(eventLogs.store);
  const creations = new SharedCreations(created, index);
  return new EventLogStore({
    index,
    eventLogs,
    cwd,
    openFiles: defaultOpenFiles,
    converted: 0,
    release: () => Promise.resolve(),
    createAlone: (create) => creations.run(create),
  });
}

const defaultOpenFiles = 1024;

/** Brings the index to what is stored: only event logs that were being written to have to be read for that. */
async function catchUp(index: HeadIndex, eventLogs: SharedEventLogs<FilesStore>): Promise<void> {
  const keys = new Set((await readdir(eventLogs.store.directory)).filter(isSessionKey));
  const isNew = index.entries.size === 0;
  for (const sessionId of index.entries.keys()) {
    if (!keys.has(sessionId)) index.delete(sessionId);
  }
  for (const sessionId of isNew ? keys : [...index.entries.keys()]) {
    if (index.entries.get(sessionId)?.isOpen === false) continue;
    const found = await readHead(eventLogs.store, sessionId);
    if (found === undefined) index.delete(sessionId);
    else index.set(sessionId, { ...found, isOpen: false });
  }
}

/** The last head in an event log; nothing if it is none of an AAP session, or nothing is in it yet. */
async function readHead(
  store: SessionStore,
  sessionId: string,
): Promise<{ readonly head: unknown } | undefined> {
  let found: { readonly head: unknown } | undefined;
  try {
    const log = await store.head(sessionId);
    if (log?.start.origin !== 'aap') return undefined;
    await store.read(
      sessionId,
      (event) => {
        if (event.type !== 'aap') return;
        found = 'head' in event ? { head: event.head } : (found ?? { head: undefined });
      },
      {
        wants: (json) =>
          json.includes('"type":"aap","head":') || (found === undefined && mayHoldRecords(json)),
      },
    );
  } catch (error) {
    // Who asks for the session itself learns what is wrong with it.
    if (!(error instanceof WorkspaceError)) throw error;
  }
  return found;
}
