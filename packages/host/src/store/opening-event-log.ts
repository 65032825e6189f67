import { WorkspaceError, type FlushPace } from '@parley/workspace';
import type { EventStore } from '../event/event-store.ts';
import type { LoggedEntry } from '../event/logged-event.ts';
import type { EventLog } from './event-log.ts';

/**
 * An event log that is opened while the session already runs: earlier events wait. If the disk is full, `stored`
 * rejects; if it cannot be opened for another reason, the session continues without it.
 */
export class OpeningEventLog implements EventStore {
  readonly #open: () => Promise<EventLog>;
  readonly #onFailure: (error: Error) => void;
  #state: Opening = { kind: 'unbegun' };
  readonly #listeners = new Set<(error: Error) => void>();
  #waiting: WaitingEntry[] = [];
  /** There was no room for it at the last attempt. */
  #isFull = false;

  constructor(open: () => Promise<EventLog>, onFailure: (error: Error) => void) {
    this.#open = open;
    this.#onFailure = onFailure;
  }

  /** Starts opening it, once. */
  begin(): void {
    if (this.#state.kind === 'unbegun') this.#state = this.#begin();
  }

  onFailure(listener: (error: Error) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Records that writing fails. */
  fail(error: Error): void {
    this.#onFailure(error);
    for (const listener of this.#listeners) listener(error);
  }

  append(entry: LoggedEntry, updateText?: string): void {
    switch (this.#state.kind) {
      case 'open':
        this.#state.eventLog.append(entry, updateText);
        return;
      case 'opening':
        this.#waiting.push({ entry, updateText });
        return;
      case 'unbegun':
      case 'full':
        // No turn runs without an event log: what comes is little, or a history that the agent has too.
        if (this.#waiting.length < mostWaiting) this.#waiting.push({ entry, updateText });
        return;
      case 'none':
        return;
    }
  }

  ready(): Promise<void> | undefined {
    switch (this.#state.kind) {
      case 'open':
        return this.#state.eventLog.ready();
      case 'opening':
        return this.#state.done;
      case 'unbegun':
      case 'full':
      case 'none':
        return undefined;
    }
  }

  stored(pace?: FlushPace): Promise<void> | undefined {
    switch (this.#state.kind) {
      case 'open':
        return this.#state.eventLog.stored(pace);
      case 'opening':
        return this.#state.done.then(() => this.#opened());
      case 'full':
        this.#state = this.#begin();
        return this.stored(pace);
      case 'unbegun':
      case 'none':
        return undefined;
    }
  }

  async close(): Promise<void> {
    if (this.#state.kind === 'opening') await this.#state.done;
    if (this.#state.kind === 'open') await this.#state.eventLog.close();
    else this.#state = { kind: 'none' };
  }

  #begin(): Opening {
    return { kind: 'opening', done: this.#attempt() };
  }

  /** Never rejects. */
  async #attempt(): Promise<void> {
    try {
      const eventLog = await this.#open();
      for (const { entry, updateText } of this.#waiting) eventLog.append(entry, updateText);
      this.#waiting = [];
      this.#state = { kind: 'open', eventLog };
      this.#isFull = false;
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      const isFull = error instanceof WorkspaceError && error.code === 'no-space';
      if (!isFull) this.#waiting = [];
      this.#state = isFull ? { kind: 'full', error } : { kind: 'none' };
      // It is tried again with each line that is printed: only the first attempt is reported.
      if (!isFull || !this.#isFull) this.fail(error);
      this.#isFull = isFull;
    }
  }

  /** Waits for the last attempt to open it. */
  async #opened(): Promise<void> {
    if (this.#state.kind === 'full') throw this.#state.error;
    if (this.#state.kind === 'open') await this.#state.eventLog.stored();
  }
}

/** Entries that wait for an event log without disk space. */
const mostWaiting = 10_000;

interface WaitingEntry {
  readonly entry: LoggedEntry;
  readonly updateText: string | undefined;
}

/** How far it is. */
type Opening =
  | { readonly kind: 'unbegun' }
  | { readonly kind: 'opening'; readonly done: Promise<void> }
  | { readonly kind: 'open'; readonly eventLog: EventLog }
  /** There was no room for it: it is tried again when something has to be stored. */
  | { readonly kind: 'full'; readonly error: Error }
  /** The session continues without it. */
  | { readonly kind: 'none' };
