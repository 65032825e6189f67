import { atEndOfTick } from '@parley/wire';
import type { FlushPace, Log, LostRecords } from '@parley/workspace';
import type { LoggedEntry, LoggedEvent, LoggedUpdate } from '../../event/logged-event.ts';
import { HostError } from '../../host-error.ts';
import { interruptionOf, isUnfinished, type SessionFacts } from '../../state/session-facts.ts';
import type { EventLog, OpenEventLogOptions } from '../event-log.ts';
import { pieceFor, toChunkLine, type ChunkLine } from './chunk-line.ts';
import type { LiveFeed, StoredEvent } from './live-feed.ts';
import { toLoggedJson } from './to-logged-json.ts';
import type { Troubles } from './troubles.ts';

/** Bytes that wait to be written before appending has to wait. */
const waitingLimitBytes = 1024 * 1024;

/** Where the records of an event log are appended: a file, or a database. */
export type RecordLog = Pick<
  Log,
  | 'lost'
  | 'waitingBytes'
  | 'append'
  | 'appendJson'
  | 'appendOpen'
  | 'extend'
  | 'appendJsonNow'
  | 'flush'
  | 'flushNow'
  | 'sync'
  | 'close'
> & {
  /** Settles when at most so many bytes wait. @default what waits is flushed once */
  readonly room?: (limitBytes: number) => Promise<void>;
};

/** What an open event log is made of. */
interface StoredEventLogOptions extends Pick<OpenEventLogOptions, 'onEvent' | 'now'> {
  readonly key: string;
  readonly feed: LiveFeed;
  readonly troubles: Troubles;
  /** The number of the last event that is there. */
  readonly last: number;
  readonly release: () => Promise<void>;
  /** Whether chunks that come one after another share a record. */
  readonly sharesRecords: boolean;
}

/** An event log that this process has open for appending. */
export class StoredEventLog implements EventLog {
  readonly key: string;
  readonly lost: LostRecords;
  readonly #log: RecordLog;
  readonly #feed: LiveFeed;
  /** Events that followers get as soon as they are in the file: what they see survives the end of this process. */
  #unreleased: UnreleasedEvent[] = [];
  #isReleasing = false;
  /** A log of a version with one line per event continues in that format. */
  readonly #sharesRecords: boolean;
  readonly #onEvent: OpenEventLogOptions['onEvent'];
  readonly #troubles: Troubles;
  readonly #now: () => number;
  readonly #unlock: () => Promise<void>;
  #seq: number;
  /** The line that was appended last, when further chunks can share it. */
  #chunks: ChunkLine | undefined;
  /** Events that could not even wait, since one that could. */
  #lost: { readonly last: LoggedEvent; readonly count: number } | undefined;
  #isSyncDue = false;
  #closing: Promise<void> | undefined;
  /** Events were appended that closing did not store. */
  #isIncomplete = false;

  constructor(
    log: RecordLog,
    { key, feed, last, release, troubles, sharesRecords, onEvent, now = Date.now }: StoredEventLogOptions,
  ) {
    this.key = key;
    this.lost = log.lost;
    this.#log = log;
    this.#feed = feed;
    this.#sharesRecords = sharesRecords;
    this.#seq = last;
    this.#unlock = release;
    this.#onEvent = onEvent;
    this.#troubles = troubles;
    this.#now = now;
  }

  /** The number of the last event. */
  get last(): number {
    return this.#seq;
  }

  append(entry: LoggedEntry, updateText?: string, time: number = this.#now()): LoggedEvent {
    this.#seq += 1;
    // By far the most frequent: an update with nothing beside it, as the agent wrote it.
    const plain = isPlainUpdate(entry) ? entry : undefined;
    const chunk = plain === undefined ? undefined : updateText;
    const event: LoggedEvent =
      plain === undefined
        ? { seq: this.#seq, time, ...entry }
        : { seq: this.#seq, time, type: 'update', update: plain.update };
    const isExtended = chunk !== undefined && this.#extend(event, chunk);
    const isStored = isExtended || this.#write(event, updateText, chunk);
    this.#onEvent?.(event, !isStored);
    if (plain === undefined && isLandmark(entry) && this.#closing === undefined) this.#syncSoon();
    return event;
  }

  appendNow(
    entry: LoggedEntry,
    { isDurable = false }: { readonly isDurable?: boolean } = {},
  ): void | Promise<void> {
    if (this.#closing !== undefined) {
      throw closedError(this.key);
    }
    this.#chunks = undefined;
    this.#noteLost();
    const event = { seq: this.#seq + 1, time: this.#now(), ...entry };
    // It throws where nothing was written: the number is the next event's then.
    const json = toLoggedJson(event, undefined);
    const writing = this.#log.appendJsonNow(json);
    this.#seq += 1;
    this.#offer({ event, length: json.length, ...(writing !== undefined && { writing }) });
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
      this.#noteLost();
      throw error;
    }
    if (isDurable) await this.#log.sync();
  }

  /** @param knownDamage How many damaged lines an earlier interruption has reported. */
  noteInterruption(facts: SessionFacts, knownDamage: number): void {
    const { tailBytes, damagedLines } = this.lost;
    const isWhole = tailBytes === 0 && damagedLines === knownDamage;
    if (isWhole && !isUnfinished(facts)) return;
    // Of the last event that there is: what followers received meanwhile is the same.
    this.append(interruptionOf(facts, this.lost), undefined, isWhole ? facts.time : undefined);
  }

  ready(): Promise<void> | undefined {
    if (this.#log.waitingBytes <= waitingLimitBytes) return undefined;
    if (this.#log.room !== undefined) return this.#log.room(waitingLimitBytes);
    // That writing fails is reported by the log, and what failed waits there.
    return this.#log.flush().catch(() => undefined);
  }

  stored(pace?: FlushPace): Promise<void> | undefined {
    if (this.#closing !== undefined) {
      return pace === 'soon' ? undefined : this.#storedWhenClosed(this.#closing);
    }
    if (!this.#noteLost() && pace !== 'soon') return this.#storedWithLost();
    if (this.#log.waitingBytes === 0) return undefined;
    return pace === 'soon' ? this.#log.flush(pace) : this.#log.flushNow();
  }

  /** @throws {HostError} `closed`: an event was appended too late, or closing failed to store one. */
  async #storedWhenClosed(closing: Promise<void>): Promise<void> {
    await closing;
    if (this.#isIncomplete) throw closedError(this.key);
  }

  /** Nothing is stored after an event that could not even wait: what follows from it must not happen. */
  async #storedWithLost(): Promise<void> {
    await this.#log.flush();
    if (!this.#noteLost()) throw closedError(this.key);
    await this.#log.flush();
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
    this.#isIncomplete = !this.#noteLost();
    try {
      await this.#log.close();
    } catch (error) {
      this.#isIncomplete = true;
      this.#troubles.report(error);
    }
    await this.#unlock().catch((error: unknown) => {
      this.#troubles.report(error);
    });
    this.#feed.end();
  }

  /** At the end of the tick: what follows from an event is often to be synced as well, and one sync stores both. */
  #syncSoon(): void {
    if (this.#isSyncDue) return;
    this.#isSyncDue = true;
    atEndOfTick(() => {
      this.#isSyncDue = false;
      // Closing syncs as well.
      if (this.#closing !== undefined) return;
      this.#log.sync().catch((error: unknown) => this.#troubles.report(error));
    });
  }

  /** Has a chunk share the line of those before it. False where it cannot. */
  #extend(event: LoggedEvent, chunk: string): boolean {
    const line = this.#chunks;
    if (line === undefined) return false;
    const piece = pieceFor(line, chunk, event.time);
    if (piece === undefined || !this.#log.extend(piece, ']}')) return false;
    line.isShared = true;
    if (this.#feed.isFollowed) this.#offer({ event, length: piece.length });
    return true;
  }

  /**
   * Returns whether the event is stored, or waits to be; else an omission is.
   *
   * @param chunk The text of an update that further ones may share the line of, if they are chunks.
   */
  #write(event: LoggedEvent, updateText: string | undefined, chunk: string | undefined): boolean {
    this.#chunks = undefined;
    if (this.#closing !== undefined) {
      this.#isIncomplete = true;
      return false;
    }
    try {
      if (this.#lost === undefined || this.#noteLost()) {
        const json = toLoggedJson(event, updateText);
        const chunks =
          chunk !== undefined && this.#sharesRecords ? toChunkLine(chunk, event.time) : undefined;
        if (chunks === undefined) this.#log.appendJson(json);
        else this.#log.appendOpen(json.slice(0, -1), '}');
        this.#chunks = chunks;
        this.#offer({ event, length: json.length });
        return true;
      }
    } catch {
      // It cannot be written as JSON, is too large, or too much waits: its number and its type are stored instead.
    }
    this.#chunks = undefined;
    this.#lost = { last: event, count: 1 + (this.#lost?.count ?? 0) };
    this.#noteLost();
    return false;
  }

  /** Appends which events are lost. False when even that cannot wait. */
  #noteLost(): boolean {
    if (this.#lost === undefined) return true;
    const { last, count } = this.#lost;
    const { seq, time, type } = last;
    try {
      this.#log.append({ seq, time, type: 'omission', of: type, ...(count > 1 && { count }) });
    } catch {
      return false;
    }
    this.#lost = undefined;
    // It is not the event that was appended.
    if (this.#feed.isFollowed) this.#log.flush().then(() => this.#feed.reread(), ignoreFailure);
    return true;
  }

  #offer(event: UnreleasedEvent): void {
    if (!this.#feed.isFollowed) return;
    this.#unreleased.push(event);
    if (!this.#isReleasing) void this.#release();
  }

  /** Never rejects. Each write takes what was appended until the one before was done. */
  async #release(): Promise<void> {
    this.#isReleasing = true;
    while (this.#unreleased.length > 0) {
      const events = this.#unreleased;
      this.#unreleased = [];
      try {
        await this.#log.flush();
        for (const { writing } of events) if (writing !== undefined) await writing;
        this.#feed.push(events);
      } catch {
        // What is stored of them, followers find in the file.
        this.#feed.reread();
      }
    }
    this.#isReleasing = false;
  }
}

function closedError(key: string): HostError {
  return new HostError('closed', `append to the event log ${JSON.stringify(key)}: it is closed`);
}

/** An event on its way to followers. */
interface UnreleasedEvent extends StoredEvent {
  /** Rejects when it is not stored after all. @default it is with all others that were appended */
  readonly writing?: Promise<void>;
}

/** The log reports it itself. */
const ignoreFailure = (): void => {};

/** An update with nothing beside it. */
function isPlainUpdate(event: LoggedEntry): event is LoggedUpdate {
  if (event.type !== 'update') return false;
  for (const name in event) if (name !== 'type' && name !== 'update') return false;
  return true;
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
