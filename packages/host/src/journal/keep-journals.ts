import { join } from 'node:path';
import type { AgentStartEvent } from '../event/agent-event.ts';
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
  /** Told once for each session whose journal cannot be written (any more); the session goes on without it. */
  readonly onFailure: (error: Error) => void;
  /**
   * Takes each event with the key of its journal: those that were there when it was opened, then each that is added.
   * With them a view is made, of a session that runs too.
   */
  readonly onEvent?: (key: string, event: JournalEvent) => void;
}

/** Keeps a journal of each session of one agent. */
export interface JournalKeeper extends AsyncDisposable {
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

  async close(): Promise<void> {
    for (const sessionId of this.#kept.keys()) this.#end(sessionId);
    await Promise.all(this.#closing);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #begin(event: SessionEvent): void {
    this.#end(event.sessionId);
    const journal = new OpeningJournal(this.#open(event));
    if (this.#agent !== undefined) journal.append(this.#agent);
    this.#kept.set(event.sessionId, journal);
  }

  async #open({ sessionId, cwd, origin }: SessionEvent): Promise<Journal | undefined> {
    const { directory, program, onFailure, onEvent } = this.#options;
    const agent = this.#agent?.agent ?? '';
    // One that is being closed may be the one that is wanted.
    await Promise.all(this.#closing);
    try {
      const found = origin === 'new' ? undefined : await findJournal(directory, { agent, sessionId });
      const key = found?.start.key ?? createJournalKey();
      return await openJournal(found?.folder ?? join(directory, key), {
        start: { key, agent, cwd, program },
        onFailure,
        ...(onEvent !== undefined && { onEvent: (event) => onEvent(key, event) }),
      });
    } catch (error) {
      onFailure(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  #end(sessionId: string): void {
    const journal = this.#kept.get(sessionId);
    if (journal === undefined) return;
    this.#kept.delete(sessionId);
    const closing = journal.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

/** A journal from the moment it is asked for; what comes before it is open waits. */
class OpeningJournal {
  readonly #opened: Promise<void>;
  #journal: Journal | undefined;
  #waiting: WaitingEntry[] | undefined = [];

  /** @param opening Never rejects; undefined when there will be none. */
  constructor(opening: Promise<Journal | undefined>) {
    this.#opened = opening.then((journal) => {
      for (const { entry, updateText } of this.#waiting ?? []) journal?.append(entry, updateText);
      this.#waiting = undefined;
      this.#journal = journal;
    });
  }

  append(entry: JournalEntry, updateText?: string): void {
    if (this.#waiting === undefined) this.#journal?.append(entry, updateText);
    else this.#waiting.push({ entry, updateText });
  }

  ready(): Promise<void> | undefined {
    return this.#waiting === undefined ? this.#journal?.ready() : this.#opened;
  }

  async close(): Promise<void> {
    await this.#opened;
    await this.#journal?.close();
  }
}

interface WaitingEntry {
  readonly entry: JournalEntry;
  readonly updateText: string | undefined;
}
