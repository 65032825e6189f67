import type { FlushPace } from '@parley/workspace';
import type { AgentStartEvent } from '../src/event/agent-event.ts';
import type { EventStore } from '../src/event/event-store.ts';
import type { HostEvent } from '../src/event/host-event.ts';
import type { LoggedEvent } from '../src/event/logged-event.ts';
import type { SessionEvent } from '../src/event/session-event.ts';
import { toLoggedEntry } from '../src/event/to-logged-entry.ts';
import type { EventLog } from '../src/store/event-log.ts';
import { findSession } from '../src/store/find-session.ts';
import { hashCommandLine, type LoggedAgent } from '../src/store/logged-agent.ts';
import { OpeningEventLog } from '../src/store/opening-event-log.ts';
import { createSessionKey } from '../src/store/session-key.ts';
import type { SessionStore } from '../src/store/session-store.ts';

/** Where to store event logs, and for which program. */
export interface WriteEventLogsOptions {
  readonly store: SessionStore;
  /** The program that keeps them, and its version. */
  readonly program: string;
  /** The command line of the agent, where it has no name of its own. */
  readonly commandLine?: readonly string[];
  /**
   * Called when an event log cannot be opened, or begins to fail. If the disk is full, `stored` rejects; if it cannot
   * be opened for another reason, its session continues without it.
   */
  readonly onFailure: (error: Error) => void;
  /** Receives each event with the key of its event log: existing ones when it is opened, then each that is appended. */
  readonly onEvent?: (key: string, event: LoggedEvent) => void;
}

/** Keeps an event log of each session of one agent. */
export interface EventLogWriter extends EventStore, AsyncDisposable {
  /** Receives the agent's events, in order. A promise for an update makes the agent wait. */
  take(event: HostEvent): Promise<void> | undefined;
  /** Writes what is left. */
  close(): Promise<void>;
}

/**
 * Stores the events of sessions: a new event log for each new session; a continued session uses its existing one.
 * Events of the agent as a whole are stored in the event log of each open session.
 */
export function writeEventLogs(options: WriteEventLogsOptions): EventLogWriter {
  return new SessionEventLogs(options);
}

class SessionEventLogs implements EventLogWriter {
  readonly #options: WriteEventLogsOptions;
  readonly #kept = new Map<string, OpeningEventLog>();
  readonly #closing = new Set<Promise<void>>();
  readonly #listeners = new Set<(error: Error) => void>();
  #agent: AgentStartEvent | undefined;

  constructor(options: WriteEventLogsOptions) {
    this.#options = options;
  }

  take(event: HostEvent): Promise<void> | undefined {
    if (event.type === 'agent-start') this.#agent = event;
    if (event.type === 'session') this.#begin(event);
    const entry = toLoggedEntry(event);
    if (entry === undefined) return undefined;
    const sessionId = 'sessionId' in event ? event.sessionId : undefined;
    if (sessionId === undefined) {
      for (const eventLog of this.#kept.values()) eventLog.append(entry);
      return undefined;
    }
    const eventLog = this.#kept.get(sessionId);
    eventLog?.append(entry, event.type === 'update' ? event.text : undefined);
    // An agent that is gone may still have a turn to end.
    if (event.type === 'session-end' && event.reason !== 'agent-ended') this.#end(sessionId);
    return eventLog?.ready();
  }

  stored(pace?: FlushPace): Promise<void> | undefined {
    const storing = Array.from(this.#kept.values(), (eventLog) => eventLog.stored(pace));
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
    const eventLog = new OpeningEventLog(
      () => this.#open(event),
      (error) => this.#fail(error),
    );
    if (this.#agent !== undefined) eventLog.append(this.#agent);
    eventLog.begin();
    this.#kept.set(event.sessionId, eventLog);
  }

  #fail(error: Error): void {
    this.#options.onFailure(error);
    for (const listener of this.#listeners) listener(error);
  }

  async #open({ sessionId, cwd, origin }: SessionEvent): Promise<EventLog> {
    const { store, program, commandLine, onEvent } = this.#options;
    const agent: LoggedAgent = {
      agent: this.#agent?.agent ?? '',
      ...(commandLine !== undefined && { commandLine }),
    };
    // One that is being closed may be the one that is wanted.
    await Promise.all(this.#closing);
    const found = origin === 'new' ? undefined : await findSession(store, { ...agent, sessionId, cwd });
    const key = found?.key ?? createSessionKey();
    return store.open(key, {
      start: {
        agent: agent.agent,
        ...(commandLine !== undefined && { commandLineHash: hashCommandLine(commandLine, key) }),
        cwd,
        program,
      },
      onFailure: (error) => this.#fail(error),
      ...(onEvent !== undefined && { onEvent: (event) => onEvent(key, event) }),
    });
  }

  #end(sessionId: string): void {
    const eventLog = this.#kept.get(sessionId);
    if (eventLog === undefined) return;
    this.#kept.delete(sessionId);
    const closing = eventLog.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
