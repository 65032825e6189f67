import type { RecordLog } from '@parley/host/records';
import { WorkspaceError, type FlushPace } from '@parley/workspace';
import { isPassing } from '../passing-error.ts';
import type { AppendedRecord, Appender, ChangedHead } from './appender.ts';

/** How long records gather before they are stored; a kill loses at most these. */
const gatherMs = 5;
/** Characters of a record that further chunks may not extend. */
const longRecord = 64 * 1024;
/** Characters that may wait while nothing can be stored; beyond that, records are refused. */
const mostWaiting = 64 * 1024 * 1024;
/** Length of a record: the longest line of an agent, plus the fields around it. */
const mostRecordCharacters = 96 * 1024 * 1024;
/** Pauses between attempts while the database cannot be reached. */
const retryMs = 500;
/** How long closing waits for a database that cannot be reached. */
const closeMs = 5000;

/** What the writer of a session's records needs. */
export interface RecordWriterOptions {
  readonly key: string;
  readonly fence: bigint;
  readonly appender: Appender;
  /** Storing begins to fail; without an error, it works again. */
  readonly onTrouble: (error: Error | undefined, options: { readonly isPassing: boolean }) => void;
  /** Another process has the lease: nothing can be stored any more. */
  readonly onLost: () => void;
  /** What lists show of the session and has not been stored yet. */
  readonly takeHead: () => ChangedHead;
}

interface Waiting {
  readonly seq: number;
  last: number;
  json: string;
  /** What follows `json`, where it can be extended. */
  tail: string | undefined;
  readonly settle?: (error?: Error) => void;
}

/** Appends the records of one session: in order, one batch after the other, under its lease. */
export class RecordWriter implements RecordLog {
  readonly lost = { tailBytes: 0, damagedLines: 0 };
  readonly #options: RecordWriterOptions;
  #waiting: Waiting[] = [];
  #waitingLength = 0;
  /** The batch on its way. */
  #leaving: readonly Waiting[] = [];
  #leavingLength = 0;
  #head: ChangedHead = {};
  /** Settles when the batch on its way is stored, or has failed. */
  #storing: Promise<void> | undefined;
  #failure: Error | undefined;
  /** The failure ends by itself: what waits is stored then. */
  #isPassing = false;
  /** The failure that was announced was one that ends by itself. */
  #wasPassing = false;
  /** Callers that wait for the next attempt to store. */
  readonly #attempted: (() => void)[] = [];
  /** The lease was lost, or it is closed. */
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RecordWriterOptions) {
    this.#options = options;
  }

  get waitingBytes(): number {
    return this.#waitingLength + this.#leavingLength;
  }

  append(record: unknown): void {
    this.appendJson(JSON.stringify(record));
  }

  appendJson(json: string): void {
    this.#add(json, {});
  }

  appendOpen(json: string, tail: string): void {
    this.#add(json, { tail });
  }

  extend(piece: string, tail: string): boolean {
    const last = this.#waiting.at(-1);
    if (last?.tail === undefined || last.json.length > longRecord || this.#failure !== undefined) {
      return false;
    }
    last.json += piece;
    last.tail = tail;
    last.last += 1;
    this.#waitingLength += piece.length;
    return true;
  }

  async appendJsonNow(json: string): Promise<void> {
    const stored = new Promise<void>((resolve, reject) => {
      this.#add(json, { settle: (error) => (error === undefined ? resolve() : reject(error)) });
    });
    this.flush().catch(() => {
      // The record itself says whether it was stored.
    });
    return stored;
  }

  async flush(pace: FlushPace = 'now'): Promise<void> {
    if (pace === 'soon') {
      this.#storeSoon(gatherMs);
      return;
    }
    const until = (this.#waiting.at(-1) ?? this.#leaving.at(-1))?.last ?? 0;
    // A batch on its way waits again where storing it fails.
    const isPending = (): boolean => ((this.#leaving[0] ?? this.#waiting[0])?.seq ?? Infinity) <= until;
    while (isPending() && !this.#isOver) {
      if (this.#failure === undefined) await this.#store();
      else if (this.#isPassing) await this.#nextAttempt();
      else break;
    }
    if (this.#failure !== undefined && (!this.#isPassing || this.#isOver)) throw this.#failure;
    // It was closed while the database did not answer.
    if (isPending()) throw refusal(this.#options.key, 'failed', 'it is closed');
  }

  /** Settles when at most so many characters wait, or nothing is stored any more. */
  async room(limit: number): Promise<void> {
    while (this.waitingBytes > limit && !this.#isOver) {
      if (this.#failure === undefined) await this.#store();
      else await this.#nextAttempt();
    }
  }

  flushNow(): Promise<void> | undefined {
    return this.waitingBytes === 0 && this.#failure === undefined ? undefined : this.flush();
  }

  /** A transaction that was committed survives the end of the machine. */
  sync(): Promise<void> {
    return this.flush();
  }

  async close(): Promise<void> {
    const ending = setTimeout(() => {
      this.#end();
    }, closeMs);
    try {
      await this.flush();
    } finally {
      clearTimeout(ending);
      this.#end();
    }
  }

  #add(json: string, { tail, settle }: { tail?: string; settle?: (error?: Error) => void }): void {
    const { key } = this.#options;
    if (this.#isOver) throw this.#failure ?? refusal(key, 'failed', 'it is closed');
    if (json.length > mostRecordCharacters) throw refusal(key, 'too-large', 'the record is too large');
    if (this.#failure !== undefined && this.waitingBytes + json.length > mostWaiting) throw this.#failure;
    const seq = Number(json.slice(seqField.length, json.indexOf(',')));
    this.#waiting.push({ seq, last: seq, json, tail, ...(settle !== undefined && { settle }) });
    this.#waitingLength += json.length;
    this.#storeSoon(this.#failure === undefined ? gatherMs : retryMs);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#isOver = true;
    for (const { settle } of this.#waiting) {
      settle?.(this.#failure ?? refusal(this.#options.key, 'failed', 'it is closed'));
    }
    this.#announceAttempt();
  }

  #nextAttempt(): Promise<void> {
    this.#storeSoon(retryMs);
    return new Promise((resolve) => {
      this.#attempted.push(resolve);
    });
  }

  #announceAttempt(): void {
    for (const announce of this.#attempted.splice(0)) announce();
  }

  #storeSoon(ms: number): void {
    if (this.#timer !== undefined || this.#storing !== undefined || this.#isOver) return;
    this.#timer = setTimeout(() => {
      void this.#store();
    }, ms);
  }

  /** Stores what waits. Never rejects: the failure is set where it failed. */
  #store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#storing ??= this.#storeWaiting().finally(() => {
      this.#storing = undefined;
      this.#announceAttempt();
      if (this.#waiting.length > 0) this.#storeSoon(this.#failure === undefined ? 0 : retryMs);
    });
    return this.#storing;
  }

  async #storeWaiting(): Promise<void> {
    // The head of a record that is stored at once is noted right behind it.
    await Promise.resolve();
    const leaving = this.#waiting;
    if (leaving.length === 0 || this.#isOver) return;
    this.#waiting = [];
    this.#leaving = leaving;
    this.#leavingLength = this.#waitingLength;
    this.#waitingLength = 0;
    const { key, fence, appender, takeHead } = this.#options;
    this.#head = { ...this.#head, ...takeHead() };
    try {
      const records = leaving.map(({ seq, last, json, tail = '' }): AppendedRecord => ({
        seq,
        last,
        json: json + tail,
      }));
      const outcome = await appender.append({ key, fence, records, head: this.#head });
      if (outcome === 'lease-lost') {
        this.#lose(leaving);
        return;
      }
      this.#head = {};
      for (const { settle } of leaving) settle?.();
      this.#noteFailure(undefined);
    } catch (error) {
      const failure = toFailure(key, error);
      this.#isPassing = isPassing(error) && !this.#isOver;
      // A caller that waits for its record hears of a failure that stays, and the record is dropped.
      const left = this.#isPassing ? leaving : leaving.filter(({ settle }) => settle === undefined);
      if (!this.#isPassing) for (const { settle } of leaving) settle?.(failure);
      this.#waiting = [
        ...left.map((record) => ({ ...record, json: record.json + (record.tail ?? ''), tail: undefined })),
        ...this.#waiting,
      ];
      this.#waitingLength = this.#waiting.reduce((length, { json }) => length + json.length, 0);
      this.#noteFailure(failure);
    } finally {
      this.#leaving = [];
      this.#leavingLength = 0;
    }
  }

  #lose(leaving: readonly Waiting[]): void {
    const { key, onLost } = this.#options;
    const failure = refusal(key, 'denied', 'the lease was lost; another process may own the session');
    const dropped = [...leaving, ...this.#waiting];
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#isOver = true;
    this.#isPassing = false;
    onLost();
    this.#noteFailure(failure);
    for (const { settle } of dropped) settle?.(failure);
  }

  #noteFailure(failure: Error | undefined): void {
    const passes = failure !== undefined && this.#isPassing;
    const isChanged =
      (this.#failure === undefined) !== (failure === undefined) || this.#wasPassing !== passes;
    this.#failure = failure;
    this.#wasPassing = passes;
    if (isChanged) this.#options.onTrouble(failure, { isPassing: passes });
  }
}

/** Each record begins with its number. */
const seqField = '{"seq":';

function refusal(key: string, code: 'denied' | 'failed' | 'too-large', reason: string): WorkspaceError {
  return new WorkspaceError(code, `append to the event log of session ${JSON.stringify(key)}: ${reason}`);
}

function toFailure(key: string, error: unknown): WorkspaceError {
  const reason = error instanceof Error ? error.message : String(error);
  return new WorkspaceError(
    'failed',
    `append to the event log of session ${JSON.stringify(key)}: ${reason}`,
    {
      cause: error,
    },
  );
}
