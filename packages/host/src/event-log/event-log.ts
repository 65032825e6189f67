import { rm, rmdir } from 'node:fs/promises';
import {
  openLog,
  takeLock,
  WorkspaceError,
  type FlushPace,
  type Log,
  type LostRecords,
} from '@parley/workspace';
import type { EventStore } from '../event/event-store.ts';
import { HostError } from '../host-error.ts';
import type { LoggedEntry, LoggedEvent, EventLogStart } from './event-log-event.ts';
import { eventLogFile, eventLogFormat, eventLogLineBytes, eventLogLock } from './event-log-file.ts';
import { parseLoggedEvent } from './parse-event-log-event.ts';
import { removeLeftLocks } from './remove-leftovers.ts';
import { toLoggedJson } from './to-event-log-json.ts';
import { unfinishedAfter, type Unfinished } from './unfinished.ts';

/** How much may wait to be written before whoever brings more is asked to wait. */
const waitingLimitBytes = 1024 * 1024;

/** How long events gather to be written together; those of the last moment are lost when this process is killed. */
const gatherMs = 10;

/** What an event log is opened with. */
export interface OpenEventLogOptions {
  /** What a new event log is about; one that is there already has said so. */
  readonly start: Omit<EventLogStart, 'type'>;
  /** Takes each event, in order: those that are there already, then each that is added. Must not throw. */
  readonly onEvent?: (event: LoggedEvent) => void;
  /** Called each time writing begins to fail: events wait then, up to a bound, and are written when it works again. */
  readonly onFailure: (error: Error) => void;
  /** Called when writing works again. */
  readonly onRecovery?: () => void;
  /** The time in milliseconds. @default the system's */
  readonly now?: () => number;
}

/** The event log of one session, open for writing. */
export interface EventLog extends EventStore, AsyncDisposable {
  readonly folder: string;
  /** What was lost before it was opened. */
  readonly lost: LostRecords;
  /**
   * Keeps an event; gives it with its number. Never throws.
   *
   * @param updateText The update of an `update` as JSON in one line, where it is known: that is what is written then.
   */
  append(entry: LoggedEntry, updateText?: string): LoggedEvent;
  /**
   * Stores an event, with all before it: at once where nothing else is being written, else with a promise. What cannot be stored
   * is dropped, and its caller learns why.
   *
   * @param options `isDurable`: it must survive the end of the machine.
   * @throws {WorkspaceError} It could not be written.
   */
  appendNow(entry: LoggedEntry, options?: { readonly isDurable?: boolean }): void | Promise<void>;
  /** A promise while more waits to be written than should. Never rejects. */
  ready(): Promise<void> | undefined;
  /** Writes what is left, and lets go of the file. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens the event log in a session's folder for writing, or begins it. One writer at a time; readers need not ask. Bytes
 * behind the last whole event are cut off; when the last writer was ended in the middle, an `interruption` says so.
 *
 * @throws {HostError} `already-open`: somebody else writes it.
 * @throws {WorkspaceError} It cannot be read, made or written: of a new one nothing is left then.
 */
export async function openEventLog(folder: string, options: OpenEventLogOptions): Promise<EventLog> {
  try {
    return await openLocked(folder, options);
  } catch (error) {
    // A folder that holds something stays.
    if (isFull(error)) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

async function openLocked(folder: string, options: OpenEventLogOptions): Promise<EventLog> {
  const attempt = await takeLock(eventLogLock(folder));
  if (!attempt.isTaken) {
    const { pid } = attempt.holder;
    throw new HostError(
      'already-open',
      `open the event log ${JSON.stringify(folder)}: process ${pid} writes it`,
    );
  }
  const { release } = attempt;
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
      onTrouble: (error) => {
        troubles.tell(error);
      },
      read: (record) => {
        const event = parseLoggedEvent(record);
        if (event === undefined) return;
        last = event.seq;
        unfinished = unfinishedAfter(unfinished, event);
        if (event.type === 'interruption') toldDamage = event.damagedLines;
        options.onEvent?.(event);
      },
    });
    const isNew = last === 0;
    const eventLog = new LogEventLog(log, { ...options, folder, last, release, troubles });
    if (isNew) eventLog.append({ type: 'journal-start', ...options.start });
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

interface LogEventLogOptions extends Pick<OpenEventLogOptions, 'onEvent' | 'now'> {
  readonly folder: string;
  readonly troubles: Troubles;
  /** The number of the last event that is there. */
  readonly last: number;
  readonly release: () => Promise<void>;
}

class LogEventLog implements EventLog {
  readonly folder: string;
  readonly lost: LostRecords;
  readonly #log: Log;
  readonly #onEvent: ((event: LoggedEvent) => void) | undefined;
  readonly #troubles: Troubles;
  readonly #now: () => number;
  readonly #release: () => Promise<void>;
  #seq: number;
  /** Events that could not even wait, since one that could. */
  #lost: { readonly last: LoggedEvent; readonly count: number } | undefined;
  #closing: Promise<void> | undefined;

  constructor(log: Log, { folder, last, release, troubles, onEvent, now = Date.now }: LogEventLogOptions) {
    this.folder = folder;
    this.lost = log.lost;
    this.#log = log;
    this.#seq = last;
    this.#release = release;
    this.#onEvent = onEvent;
    this.#troubles = troubles;
    this.#now = now;
  }

  append(entry: LoggedEntry, updateText?: string): LoggedEvent {
    this.#seq += 1;
    const event = { seq: this.#seq, time: this.#now(), ...entry };
    this.#write(event, updateText);
    this.#onEvent?.(event);
    if (isLandmark(entry) && this.#closing === undefined) this.#sync();
    return event;
  }

  appendNow(
    entry: LoggedEntry,
    { isDurable = false }: { readonly isDurable?: boolean } = {},
  ): void | Promise<void> {
    if (this.#closing !== undefined) {
      throw new HostError('closed', `append to the event log ${JSON.stringify(this.folder)}: it is closed`);
    }
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

  #write(event: LoggedEvent, updateText: string | undefined): void {
    if (this.#closing !== undefined) return;
    try {
      if (this.#lost === undefined || this.#tellLost()) {
        this.#log.appendJson(toLoggedJson(event, updateText));
        return;
      }
    } catch {
      // It cannot be written as JSON, is too large, or too much waits: its number and its type are told instead.
    }
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
