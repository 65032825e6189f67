import { join } from 'node:path';
import { WorkspaceError, type FlushPace } from '@parley/workspace';
import type { AgentStartEvent } from '../event/agent-event.ts';
import type { EventStore } from '../event/event-store.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { SessionEvent } from '../event/session-event.ts';
import type { JournalEntry, JournalEvent } from './journal-event.ts';
import { createJournalKey } from './journal-key.ts';
import { findJournal } from './journal-list.ts';
import { openJournal, type Journal } from './journal.ts';
import { toJournalEntry } from './to-journal-entry.ts';

/** Where journals are kept, and by whom. */
export interface KeepJournalsOptions {
  /** The folder that has a folder for each session. */
  readonly directory: string;
  /** The program that keeps them, and its version. */
  readonly program: string;
  /**
   * Called when a journal cannot be opened, and each time one begins to fail. Where there is no room for it, nothing is
   * `stored`; where it cannot be opened for another reason, its session goes on without it.
   */
  readonly onFailure: (error: Error) => void;
  /**
   * Takes each event with the key of its journal: those that were there when it was opened, then each that is added.
   * With them a view is made, of a session that runs too.
   */
  readonly onEvent?: (key: string, event: JournalEvent) => void;
}

/** Keeps a journal of each session of one agent. */
export interface JournalKeeper extends EventStore, AsyncDisposable {
  /** Takes what the agent's `onEvent` is given, in that order. A promise for an update asks the agent to wait. */
  take(event: HostEvent): Promise<void> | undefined;
  /** Writes what is left. */
  close(): Promise<void>;
}

/**
 * Begins to keep journals: a new one for a new session; a session that is continued goes on in the journal it had. What
 * concerns the agent as a whole is in the journal of each session that is open then.
 */
export function keepJournals(options: KeepJournalsOptions): JournalKeeper {
  return new SessionJournals(options);
}

class SessionJournals implements JournalKeeper {
  readonly #options: KeepJournalsOptions;
  readonly #kept = new Map<string, OpeningJournal>();
  readonly #closing = new Set<Promise<void>>();
  readonly #listeners = new Set<(error: Error) => void>();
  #agent: AgentStartEvent | undefined;

  constructor(options: KeepJournalsOptions) {
    this.#options = options;
  }

  take(event: HostEvent): Promise<void> | undefined {
    if (event.type === 'agent-start') this.#agent = event;
    if (event.type === 'session') this.#begin(event);
    const entry = toJournalEntry(event);
    if (entry === undefined) return undefined;
    const sessionId = 'sessionId' in event ? event.sessionId : undefined;
    if (sessionId === undefined) {
      for (const journal of this.#kept.values()) journal.append(entry);
      return undefined;
    }
    const journal = this.#kept.get(sessionId);
    journal?.append(entry, event.type === 'update' ? event.text : undefined);
    // An agent that is gone may still have a turn to end.
    if (event.type === 'session-end' && event.reason !== 'agent-ended') this.#end(sessionId);
    return journal?.ready();
  }

  stored(pace?: FlushPace): Promise<void> | undefined {
    const storing = Array.from(this.#kept.values(), (journal) => journal.stored(pace));
    const waiting = storing.filter((each) => each !== undefined);
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined);
  }

  onFailure(listener: (error: Error) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    for (const sessionId of this.#kept.keys()) this.#end(sessionId);
    await Promise.all(this.#closing);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #begin(event: SessionEvent): void {
    this.#end(event.sessionId);
    const journal = new OpeningJournal(
      () => this.#open(event),
      (error) => this.#fail(error),
    );
    if (this.#agent !== undefined) journal.append(this.#agent);
    this.#kept.set(event.sessionId, journal);
  }

  #fail(error: Error): void {
    this.#options.onFailure(error);
    for (const listener of this.#listeners) listener(error);
  }

  async #open({ sessionId, cwd, origin }: SessionEvent): Promise<Journal> {
    const { directory, program, onEvent } = this.#options;
    const agent = this.#agent?.agent ?? '';
    // One that is being closed may be the one that is wanted.
    await Promise.all(this.#closing);
    const found = origin === 'new' ? undefined : await findJournal(directory, { agent, sessionId });
    const key = found?.start.key ?? createJournalKey();
    return openJournal(found?.folder ?? join(directory, key), {
      start: { key, agent, cwd, program },
      onFailure: (error) => this.#fail(error),
      ...(onEvent !== undefined && { onEvent: (event) => onEvent(key, event) }),
    });
  }

  #end(sessionId: string): void {
    const journal = this.#kept.get(sessionId);
    if (journal === undefined) return;
    this.#kept.delete(sessionId);
    const closing = journal.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

type Opening =
  | { readonly kind: 'opening'; readonly done: Promise<void> }
  | { readonly kind: 'open'; readonly journal: Journal }
  /** There was no room for it: it is tried again when something has to be stored. */
  | { readonly kind: 'full'; readonly error: Error }
  /** The session goes on without it. */
  | { readonly kind: 'none' };

/** A journal from the moment it is asked for; what comes before it is open waits. */
class OpeningJournal {
  readonly #open: () => Promise<Journal>;
  readonly #onFailure: (error: Error) => void;
  #state: Opening;
  #waiting: WaitingEntry[] = [];

  constructor(open: () => Promise<Journal>, onFailure: (error: Error) => void) {
    this.#open = open;
    this.#onFailure = onFailure;
    this.#state = this.#begin();
  }

  append(entry: JournalEntry, updateText?: string): void {
    switch (this.#state.kind) {
      case 'open':
        this.#state.journal.append(entry, updateText);
        return;
      case 'opening':
        this.#waiting.push({ entry, updateText });
        return;
      case 'full':
        // No turn runs without a journal: what comes is little, or a history that the agent has too.
        if (this.#waiting.length < mostWaiting) this.#waiting.push({ entry, updateText });
        return;
      case 'none':
        return;
    }
  }

  ready(): Promise<void> | undefined {
    switch (this.#state.kind) {
      case 'open':
        return this.#state.journal.ready();
      case 'opening':
        return this.#state.done;
      case 'full':
      case 'none':
        return undefined;
    }
  }

  stored(pace?: FlushPace): Promise<void> | undefined {
    switch (this.#state.kind) {
      case 'open':
        return this.#state.journal.stored(pace);
      case 'opening':
        return this.#state.done.then(() => this.#opened());
      case 'full':
        this.#state = this.#begin();
        return this.stored(pace);
      case 'none':
        return undefined;
    }
  }

  async close(): Promise<void> {
    if (this.#state.kind === 'opening') await this.#state.done;
    if (this.#state.kind === 'open') await this.#state.journal.close();
  }

  #begin(): Opening {
    return { kind: 'opening', done: this.#attempt() };
  }

  /** Never rejects. */
  async #attempt(): Promise<void> {
    try {
      const journal = await this.#open();
      for (const { entry, updateText } of this.#waiting) journal.append(entry, updateText);
      this.#waiting = [];
      this.#state = { kind: 'open', journal };
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      const isFull = error instanceof WorkspaceError && error.code === 'no-space';
      if (!isFull) this.#waiting = [];
      this.#state = isFull ? { kind: 'full', error } : { kind: 'none' };
      this.#onFailure(error);
    }
  }

  /** What came of the last attempt. */
  async #opened(): Promise<void> {
    if (this.#state.kind === 'full') throw this.#state.error;
    if (this.#state.kind === 'open') await this.#state.journal.stored();
  }
}

/** Entries that wait for a journal that there is no room for. */
const mostWaiting = 10_000;

interface WaitingEntry {
  readonly entry: JournalEntry;
  readonly updateText: string | undefined;
}
