import { openLog, takeLock, type Log, type LostRecords } from '@parley/workspace';
import { HostError } from '../host-error.ts';
import type { JournalEntry, JournalEvent, JournalStart } from './journal-event.ts';
import { journalFile, journalFormat, journalLineBytes, journalLock } from './journal-file.ts';
import { parseJournalEvent } from './parse-journal-event.ts';
import { toJournalJson } from './to-journal-json.ts';
import { unfinishedAfter, type Unfinished } from './unfinished.ts';

/** How much may wait to be written before whoever brings more is asked to wait. */
const waitingLimitBytes = 1024 * 1024;

/** How long events gather to be written together; those of the last moment are lost when this process is killed. */
const gatherMs = 10;

/** What a journal is opened with. */
export interface OpenJournalOptions {
  /** What a new journal is about; one that is there already has said so. */
  readonly start: Omit<JournalStart, 'type'>;
  /** Takes each event, in order: those that are there already, then each that is added. Must not throw. */
  readonly onEvent?: (event: JournalEvent) => void;
  /** Told once, when the journal cannot be written any more: events are still numbered, and not kept. */
  readonly onFailure: (error: Error) => void;
  /** The time in milliseconds. @default the system's */
  readonly now?: () => number;
}

/** The journal of one session, open for writing. */
export interface Journal extends AsyncDisposable {
  readonly folder: string;
  /** What was lost before it was opened. */
  readonly lost: LostRecords;
  /**
   * Keeps an event; gives it with its number. Never throws.
   *
   * @param updateText The update of an `update` as JSON in one line, where it is known: that is what is written then.
   */
  append(entry: JournalEntry, updateText?: string): JournalEvent;
  /** A promise while more waits to be written than should. Never rejects. */
  ready(): Promise<void> | undefined;
  /** Writes what is left, and lets go of the file. Never rejects. */
  close(): Promise<void>;
}

/**
 * Opens the journal in a session's folder for writing, or begins it. One writer at a time; readers need not ask. Bytes
 * behind the last whole event are cut off; when the last writer was ended in the middle, an `interruption` says so.
 *
 * @throws {HostError} `already-open`: somebody else writes it.
 * @throws {WorkspaceError} It cannot be read or made.
 */
export async function openJournal(folder: string, options: OpenJournalOptions): Promise<Journal> {
  const attempt = await takeLock(journalLock(folder));
  if (!attempt.isTaken) {
    const { pid } = attempt.holder;
    throw new HostError(
      'already-open',
      `open the journal ${JSON.stringify(folder)}: process ${pid} writes it`,
    );
  }
  const { release } = attempt;
  try {
    let last = 0;
    let unfinished: Unfinished = {};
    let toldDamage = 0;
    const log = await openLog(journalFile(folder), {
      format: journalFormat,
      maxLineBytes: journalLineBytes,
      gatherMs,
      read: (record) => {
        const event = parseJournalEvent(record);
        if (event === undefined) return;
        last = event.seq;
        unfinished = unfinishedAfter(unfinished, event);
        if (event.type === 'interruption') toldDamage = event.damagedLines;
        options.onEvent?.(event);
      },
    });
    const journal = new LogJournal(log, { ...options, folder, last, release });
    if (last === 0) journal.append({ type: 'journal-start', ...options.start });
    else journal.tellInterruption(unfinished, toldDamage);
    return journal;
  } catch (error) {
    await release();
    throw error;
  }
}

interface LogJournalOptions extends Pick<OpenJournalOptions, 'onEvent' | 'onFailure' | 'now'> {
  readonly folder: string;
  /** The number of the last event that is there. */
  readonly last: number;
  readonly release: () => Promise<void>;
}

class LogJournal implements Journal {
  readonly folder: string;
  readonly lost: LostRecords;
  readonly #log: Log;
  readonly #onEvent: ((event: JournalEvent) => void) | undefined;
  readonly #onFailure: (error: Error) => void;
  readonly #now: () => number;
  readonly #release: () => Promise<void>;
  #seq: number;
  #isBroken = false;
  #closing: Promise<void> | undefined;

  constructor(log: Log, { folder, last, release, onEvent, onFailure, now = Date.now }: LogJournalOptions) {
    this.folder = folder;
    this.lost = log.lost;
    this.#log = log;
    this.#seq = last;
    this.#release = release;
    this.#onEvent = onEvent;
    this.#onFailure = onFailure;
    this.#now = now;
  }

  append(entry: JournalEntry, updateText?: string): JournalEvent {
    this.#seq += 1;
    const event = { seq: this.#seq, time: this.#now(), ...entry };
    this.#write(event, updateText);
    this.#onEvent?.(event);
    if (isLandmark(entry) && this.#closing === undefined) void this.#settle(this.#log.sync());
    return event;
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
    if (this.#isBroken || this.#log.waitingBytes <= waitingLimitBytes) return undefined;
    return this.#settle(this.#log.flush());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    await this.#settle(this.#log.close());
    await this.#settle(this.#release());
  }

  #write(event: JournalEvent, updateText: string | undefined): void {
    if (this.#isBroken || this.#closing !== undefined) return;
    try {
      this.#log.appendJson(toJournalJson(event, updateText));
    } catch (error) {
      // One event that cannot be kept is no reason to keep no more; a log that takes nothing is.
      if (!this.#omit(event)) this.#fail(error);
    }
  }

  #omit({ seq, time, type }: JournalEvent): boolean {
    try {
      this.#log.append({ seq, time, type: 'omission', of: type });
      return true;
    } catch {
      return false;
    }
  }

  async #settle(writing: Promise<void>): Promise<void> {
    try {
      await writing;
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#onFailure(error instanceof Error ? error : new Error(String(error)));
  }
}

/** What must survive the end of the machine as soon as it has happened: see docs/decisions/0008-the-journal.md. */
function isLandmark({ type }: JournalEntry): boolean {
  return landmarks.has(type);
}

const landmarks: ReadonlySet<JournalEntry['type']> = new Set([
  'session',
  'turn-start',
  'turn-end',
  'permission',
  'file-write',
  'interruption',
]);
