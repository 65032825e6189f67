import { rm, rmdir } from 'node:fs/promises';
import {
  openLog,
  takeLock,
  WorkspaceError,
  type FlushPace,
  type Log,
  type LogFile,
  type LostRecords,
} from '@parley/workspace';
import type { LoggedEntry, LoggedEvent } from '../../event/logged-event.ts';
import { HostError } from '../../host-error.ts';
import type { EventLog, OpenEventLogOptions } from '../event-log.ts';
import { unfinishedAfter, type Unfinished } from '../unfinished.ts';
import { eventsIn, pieceFor, toChunkLine, type ChunkLine } from './chunk-line.ts';
import { eventLogFile, eventLogFormat, eventLogLineBytes, eventLogLock } from './event-log-file.ts';
import { removeLeftLocks } from './remove-leftovers.ts';
import { toLoggedJson } from './to-logged-json.ts';

/** How much may wait to be written before whoever brings more is asked to wait. */
const waitingLimitBytes = 1024 * 1024;

/** How long events gather to be written together; those of the last moment are lost when this process is killed. */
const gatherMs = 10;

/** What the event log in a folder is opened with. */
interface OpenFileOptions extends OpenEventLogOptions {
  readonly key: string;
}

/**
 * Opens the event log in a session's folder for appending, or begins it. Its lock file is the lease. Bytes behind the last
 * whole event are cut off.
 */
export async function openFileEventLog(folder: string, options: OpenFileOptions): Promise<EventLog> {
  try {
    return await openLocked(folder, options);
  } catch (error) {
    // A folder that holds something stays.
    if (isFull(error)) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

async function openLocked(folder: string, options: OpenFileOptions): Promise<EventLog> {
  const attempt = await takeLock(eventLogLock(folder));
  if (!attempt.isTaken) {
    const { pid } = attempt.holder;
    throw new HostError(
      'already-open',
      `open the event log ${JSON.stringify(folder)}: process ${pid} writes it`,
    );
  }
  const { release, isHeld } = attempt;
  let last = 0;
  const troubles = new Troubles(options);
  try {
    await removeLeftLocks(folder);
    let unfinished: Unfinished = {};
    let toldDamage = 0;
    const log = await openLog(eventLogFile(folder), {
      format: eventLogFormat,
      maxLineBytes: eventLogLineBytes,
      gatherMs,
      through: (file) => onlyWhile(isHeld, file, folder),
      onTrouble: (error) => {
        troubles.tell(error);
      },
      read: (record) => {
        for (const event of [eventsIn(record) ?? []].flat()) {
          last = event.seq;
          unfinished = unfinishedAfter(unfinished, event);
          if (event.type === 'interruption') toldDamage = event.damagedLines;
          options.onEvent?.(event);
        }
      },
    });
    const isNew = last === 0;
    const eventLog = new FileEventLog(log, { ...options, last, release, troubles });
    if (isNew) eventLog.append({ type: 'journal-start', key: options.key, ...options.start });
    else eventLog.tellInterruption(unfinished, toldDamage);
    try {
      await eventLog.stored();
    } catch (error) {
      await eventLog.close();
      if (isNew) await rm(eventLogFile(folder), { force: true });
      throw error;
    }
    troubles.begin();
    return eventLog;
  } catch (error) {
    if (last === 0 && isFull(error)) await rm(eventLogFile(folder), { force: true });
    await release();
    throw error;
  }
}

/** The file, as long as the lease is held: another owner may append to it afterwards. */
function onlyWhile(isHeld: () => boolean, file: LogFile, folder: string): LogFile {
  const check = (): void => {
    if (isHeld()) return;
    const message = `append to the event log ${JSON.stringify(folder)}: the lease was lost; another process may own the session`;
    throw new WorkspaceError('denied', message, { path: folder });
  };
  return {
    write: async (bytes, from) => {
      check();
      return file.write(bytes, from);
    },
    writeNow: (bytes, from) => {
      check();
      return file.writeNow(bytes, from);
    },
    truncate: async (length) => {
      check();
      await file.truncate(length);
    },
    truncateNow: (length) => {
      check();
      file.truncateNow(length);
    },
    datasync: () => file.datasync(),
    close: () => file.close(),
  };
}

function isFull(error: unknown): boolean {
  return error instanceof WorkspaceError && error.code === 'no-space';
}

/** Who learns that an event log cannot be written, and that it can again. */
class Troubles {
  readonly #options: Pick<OpenEventLogOptions, 'onFailure' | 'onRecovery'>;
  readonly #listeners = new Set<(error: Error) => void>();
  #isFailing = false;
  #isOpen = false;

  constructor(options: Pick<OpenEventLogOptions, 'onFailure' | 'onRecovery'>) {
    this.#options = options;
  }

  /** The event log is open. What failed before, the opening itself says. */
  begin(): void {
    this.#isOpen = true;
  }

  /** Writing begins to fail, or works again. */
  tell(error: Error | undefined): void {
    this.#isFailing = error !== undefined;
    if (!this.#isOpen) return;
    if (error === undefined) this.#options.onRecovery?.();
    else this.#fail(error);
  }

  /** Something else failed; while writing fails, that was told. */
  report(error: unknown): void {
    if (!this.#isFailing && this.#isOpen) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fail(error: Error): void {
    this.#options.onFailure(error);
    for (const listener of this.#listeners) listener(error);
  }

  listen(listener: (error: Error) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

interface FileEventLogOptions extends Pick<OpenFileOptions, 'key' | 'onEvent' | 'now'> {
  readonly troubles: Troubles;
  /** The number of the last event that is there. */
  readonly last: number;
  readonly release: () => Promise<void>;
}

class FileEventLog implements EventLog {
  readonly key: string;
  readonly lost: LostRecords;
  readonly #log: Log;
  /** A log of a version in which each event has a line of its own goes on so. */
  readonly #sharesLines: boolean;
  readonly #onEvent: ((event: LoggedEvent) => void) | undefined;
  readonly #troubles: Troubles;
  readonly #now: () => number;
  readonly #release: () => Promise<void>;
  #seq: number;
  /** The line that was appended last, when further chunks can share it. */
  #chunks: ChunkLine | undefined;
  /** Events that could not even wait, since one that could. */
  #lost: { readonly last: LoggedEvent; readonly count: number } | undefined;
  #closing: Promise<void> | undefined;

  constructor(log: Log, { key, last, release, troubles, onEvent, now = Date.now }: FileEventLogOptions) {
    this.key = key;
    this.lost = log.lost;
    this.#log = log;
    this.#sharesLines = log.version === eventLogFormat.version;
    this.#seq = last;
    this.#release = release;
    this.#onEvent = onEvent;
    this.#troubles = troubles;
    this.#now = now;
  }

  append(entry: LoggedEntry, updateText?: string): LoggedEvent {
    this.#seq += 1;
    const event = { seq: this.#seq, time: this.#now(), ...entry };
    if (!this.#extend(event, updateText)) this.#write(event, updateText);
    this.#onEvent?.(event);
    if (isLandmark(entry) && this.#closing === undefined) this.#sync();
    return event;
  }

  appendNow(
    entry: LoggedEntry,
    { isDurable = false }: { readonly isDurable?: boolean } = {},
  ): void | Promise<void> {
    if (this.#closing !== undefined) {
      throw new HostError('closed', `append to the event log ${JSON.stringify(this.key)}: it is closed`);
    }
    this.#chunks = undefined;
    this.#tellLost();
    const event = { seq: this.#seq + 1, time: this.#now(), ...entry };
    // It throws where nothing was written: the number is the next event's then.
    const writing = this.#log.appendJsonNow(toLoggedJson(event, undefined));
    this.#seq += 1;
    this.#onEvent?.(event);
    return writing === undefined && !isDurable ? undefined : this.#stored(event, { writing, isDurable });
  }

  async #stored(
    event: LoggedEvent,
    { writing, isDurable }: { readonly writing: void | Promise<void>; readonly isDurable: boolean },
  ): Promise<void> {
    try {
      await writing;
    } catch (error) {
      // Others may have the numbers behind it already.
      this.#lost = { last: event, count: 1 + (this.#lost?.count ?? 0) };
      this.#tellLost();
      throw error;
    }
    if (isDurable) await this.#log.sync();
  }

  /** @param toldDamage How many damaged lines an interruption has told of before. */
  tellInterruption({ turnId, sessionId }: Unfinished, toldDamage: number): void {
    const { tailBytes: lostBytes, damagedLines } = this.lost;
    const isWhole = lostBytes === 0 && damagedLines === toldDamage;
    if (turnId === undefined && sessionId === undefined && isWhole) return;
    this.append({
      type: 'interruption',
      ...(turnId !== undefined && { turnId }),
      lostBytes,
      damagedLines,
    });
  }

  ready(): Promise<void> | undefined {
    if (this.#log.waitingBytes <= waitingLimitBytes) return undefined;
    // That writing fails is told by the log, and what failed waits there.
    return this.#log.flush().catch(() => undefined);
  }

  stored(pace?: FlushPace): Promise<void> | undefined {
    if (this.#closing !== undefined) return undefined;
    if (this.#lost !== undefined) this.#tellLost();
    return this.#log.waitingBytes === 0 ? undefined : this.#log.flush(pace);
  }

  onFailure(listener: (error: Error) => void): () => void {
    return this.#troubles.listen(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#tellLost();
    for (const work of [() => this.#log.close(), this.#release]) {
      try {
        await work();
      } catch (error) {
        this.#troubles.report(error);
      }
    }
  }

  #sync(): void {
    this.#log.sync().catch((error: unknown) => this.#troubles.report(error));
  }

  /** Has a chunk share the line of those before it. False where it cannot. */
  #extend(event: LoggedEvent, updateText: string | undefined): boolean {
    const line = this.#chunks;
    if (line === undefined || updateText === undefined || !isPlainUpdate(event)) return false;
    const piece = pieceFor(line, updateText, event.time);
    if (piece === undefined || !this.#log.extend(piece, ']}')) return false;
    line.isShared = true;
    return true;
  }

  #write(event: LoggedEvent, updateText: string | undefined): void {
    this.#chunks = undefined;
    if (this.#closing !== undefined) return;
    try {
      if (this.#lost === undefined || this.#tellLost()) {
        const json = toLoggedJson(event, updateText);
        const chunks =
          updateText !== undefined && this.#sharesLines && isPlainUpdate(event)
            ? toChunkLine(updateText, event.time)
            : undefined;
        if (chunks === undefined) this.#log.appendJson(json);
        else this.#log.appendOpen(json.slice(0, -1), '}');
        this.#chunks = chunks;
        return;
      }
    } catch {
      // It cannot be written as JSON, is too large, or too much waits: its number and its type are told instead.
    }
    this.#chunks = undefined;
    this.#lost = { last: event, count: 1 + (this.#lost?.count ?? 0) };
    this.#tellLost();
  }

  /** Tells which events are lost. False when even that cannot wait. */
  #tellLost(): boolean {
    if (this.#lost === undefined) return true;
    const { last, count } = this.#lost;
    const { seq, time, type } = last;
    try {
      this.#log.append({ seq, time, type: 'omission', of: type, ...(count > 1 && { count }) });
    } catch {
      return false;
    }
    this.#lost = undefined;
    return true;
  }
}

/** An update that is neither late, nor part of a history that is replayed, nor holds deltas of an AAP turn. */
function isPlainUpdate(event: LoggedEvent): boolean {
  return event.type === 'update' && event.late !== true && event.replay !== true && event.aap === undefined;
}

/** What must survive the end of the machine as soon as it has happened: see docs/decisions/0008-the-event-log.md. */
function isLandmark({ type }: LoggedEntry): boolean {
  return landmarks.has(type);
}

const landmarks: ReadonlySet<LoggedEntry['type']> = new Set([
  'session',
  'turn-start',
  'turn-end',
  'permission',
  'file-write',
  'interruption',
]);
