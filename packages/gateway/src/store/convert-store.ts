import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  filesStore,
  isSessionKey,
  SharedEventLogs,
  type EventLog,
  type FilesStore,
  type SessionHead,
  type SessionStore,
  type UseEventLogOptions,
} from '@parley/host';
import { interruptionOf, isUnfinished, noFacts, reduceFacts } from '@parley/host/state';
import { isJsonObject } from '@parley/wire';
import { readLog, syncDirectory, WorkspaceError } from '@parley/workspace';
import { parseSessionRecord } from '../bridge/session-record.ts';
import { toStart } from './to-start.ts';

/** What sessions of the version before are converted to. */
export interface ConvertStoreOptions {
  readonly eventLogs: SharedEventLogs<FilesStore>;
  /** Where sessions work that do not say it. */
  readonly cwd: string;
  /** Names the owner of a session by a token's id; earlier versions stored its name. Undefined: the session is for `admin`. */
  readonly ownerOf: (owner: string) => string | undefined;
  readonly onConverted: (sessionId: string, head: unknown) => void;
}

/**
 * Converts sessions that the version before stored as one file each, beside an event log of what their agent did: both become
 * one event log. A session is converted whole or not at all, and its old files are removed after that.
 *
 * @returns How many there were.
 */
export async function convertStore(folder: string, options: ConvertStoreOptions): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending));
  const sessionIds = names.map((name) => name.slice(0, -ending.length)).filter(isSessionKey);
  if (sessionIds.length === 0) return 0;
  const agentLogs = await listAgentLogs(options.eventLogs.store);
  for (const sessionId of sessionIds) {
    await convertSession(path.join(folder, `${sessionId}${ending}`), sessionId, { ...options, agentLogs });
  }
  return sessionIds.length;
}

const ending = '.jsonl';

const storedFormat = { name: 'aap-session', version: 1 } as const;

/** A session as the version before stored it. */
interface OldSession {
  readonly lines: readonly OldLine[];
  readonly head: unknown;
  readonly remembered: unknown;
}

interface OldLine {
  readonly head?: unknown;
  readonly records: readonly unknown[];
}

interface ConvertSessionOptions extends ConvertStoreOptions {
  readonly agentLogs: ReadonlyMap<string, readonly SessionHead[]>;
}

async function convertSession(
  file: string,
  sessionId: string,
  options: ConvertSessionOptions,
): Promise<void> {
  const { eventLogs, agentLogs, onConverted } = options;
  const old = await readOld(file);
  if (old === undefined) return;
  const start = toOwnedStart(old.head, options);
  const record = parseSessionRecord(old.remembered);
  const ids = record === undefined ? [] : [...record.earlier.toReversed(), record.agentSession];
  const logs = ids.flatMap((id) => agentLogs.get(logName(start.agent, id)) ?? []);
  if ((await eventLogs.store.head(sessionId)) === undefined) {
    await write(sessionId, old, { eventLogs, start, logs });
  }
  for (const { key } of logs) await eventLogs.store.remove(key);
  onConverted(sessionId, old.head);
  await rm(file);
}

interface WriteOptions {
  readonly eventLogs: SharedEventLogs<FilesStore>;
  readonly start: UseEventLogOptions['start'];
  /** What the agent did, oldest first. */
  readonly logs: readonly SessionHead[];
}

/** Written beside, and renamed when all is on the disk. */
async function write(
  sessionId: string,
  { lines }: OldSession,
  { eventLogs, start, logs }: WriteOptions,
): Promise<void> {
  const beside = path.join(eventLogs.store.directory, '.converting');
  await rm(beside, { recursive: true, force: true });
  let time = toTime(lines[0]) ?? 0;
  const writer = new SharedEventLogs({
    store: filesStore(beside),
    program: eventLogs.program,
    now: () => time,
  });
  await using log = await writer.use(sessionId, { start });
  for (const { key } of logs) {
    await copyEvents(eventLogs.store, key, {
      log,
      onTime: (then) => {
        time = then;
      },
    });
  }
  for (const line of lines) {
    time = toTime(line) ?? time;
    log.append({ type: 'aap', ...line });
    await log.ready();
  }
  await log.stored();
  await log.close();
  await rename(path.join(beside, sessionId), eventLogs.store.folderOf(sessionId));
  await syncDirectory(eventLogs.store.directory);
  await rm(beside, { recursive: true, force: true });
}

async function copyEvents(
  store: SessionStore,
  key: string,
  { log, onTime }: { readonly log: EventLog; readonly onTime: (time: number) => void },
): Promise<void> {
  let facts = noFacts;
  await store.read(key, (event) => {
    facts = reduceFacts(facts, event);
    const { seq: _seq, time, ...entry } = event;
    onTime(time);
    if (entry.type !== 'journal-start') log.append(entry);
    return log.ready();
  });
  if (isUnfinished(facts)) log.append(interruptionOf(facts, { tailBytes: 0, damagedLines: 0 }));
}

/** Undefined for a file without a session. */
async function readOld(file: string): Promise<OldSession | undefined> {
  const lines: OldLine[] = [];
  let head: unknown;
  let remembered: unknown;
  try {
    await readLog(file, {
      format: storedFormat,
      read: (line) => {
        if (!isJsonObject(line)) return;
        const { records } = line;
        if ('head' in line) ({ head } = line);
        if (!Array.isArray(records)) return;
        for (const record of records) {
          if (isJsonObject(record) && record['type'] === 'state') remembered = record['state'];
        }
        lines.push({ ...('head' in line && { head: line['head'] }), records });
      },
    });
  } catch (error) {
    // It stays where it is.
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
  return lines.length === 0 ? undefined : { lines, head, remembered };
}

/** How the event log of a session begins that may name its owner by the name of a token. */
function toOwnedStart(
  head: unknown,
  { cwd, ownerOf }: Pick<ConvertStoreOptions, 'cwd' | 'ownerOf'>,
): UseEventLogOptions['start'] {
  const { owner, ...start } = toStart(head, cwd);
  const tokenId = owner === undefined ? undefined : ownerOf(owner.tokenId);
  return { ...start, ...(tokenId !== undefined && { owner: { tokenId } }) };
}

/** When a line was written, as far as it says so. */
function toTime(line: OldLine | undefined): number | undefined {
  const { updatedAt } = isJsonObject(line?.head) ? line.head : {};
  const time = typeof updatedAt === 'string' ? Date.parse(updatedAt) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The event logs of agents' sessions, by agent and session. */
async function listAgentLogs(store: SessionStore): Promise<ReadonlyMap<string, readonly SessionHead[]>> {
  const logs = new Map<string, SessionHead[]>();
  for (const head of await store.list()) {
    const { start, sessionId } = head;
    if (sessionId === undefined || start.origin !== undefined) continue;
    const name = logName(start.agent, sessionId);
    logs.set(name, [...(logs.get(name) ?? []), head]);
  }
  return logs;
}

function logName(agent: string, sessionId: string): string {
  return JSON.stringify([agent, sessionId]);
}
