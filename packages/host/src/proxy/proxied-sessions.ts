import {
  isJsonObject,
  valueAt,
  type Message,
  type NotificationMessage,
  type RequestMessage,
} from '@parley/wire';
import { eventNumber, type ReceivedUpdates, type ResumeMeta } from '../hub/hub-methods.ts';

/** The parameters to reopen a session. */
export interface ProxiedSession {
  readonly sessionId: string;
  readonly cwd: unknown;
  readonly mcpServers: unknown;
  readonly additionalDirectories?: unknown;
}

/** The sessions that a client has opened, as far as its requests and their answers report. */
export class ProxiedSessions {
  readonly #sessions = new Map<string, ProxiedSession>();
  /** By session. */
  readonly #received = new Map<string, ReceivedUpdates>();
  /** The sessions that sub-agents work for, by the ids of the sub-agents. */
  readonly #subagents = new Map<string, string>();
  /** The ids of prompts that have no answer, by session. */
  readonly #prompts = new Map<string, readonly string[]>();

  get open(): readonly ProxiedSession[] {
    return [...this.#sessions.values()];
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#received.delete(sessionId);
    this.#prompts.delete(sessionId);
    for (const [subagent, key] of this.#subagents) if (key === sessionId) this.#subagents.delete(subagent);
  }

  /** The session that an id belongs to: its own, or that of a sub-agent. */
  sessionOf(id: string): string {
    return this.#subagents.get(id) ?? id;
  }

  /** The `_meta` with which a hub sends the events that the client missed. */
  missing(sessionId: string): ResumeMeta {
    const received = this.#received.get(sessionId);
    const prompts = this.#prompts.get(sessionId);
    return {
      ...(received !== undefined && { 'parley/received': received }),
      ...(prompts !== undefined && { 'parley/ownPrompts': prompts }),
    };
  }

  /** The agent sent something about a session, or a sub-agent of one. */
  receive({ method, params }: NotificationMessage): void {
    const id = valueAt(params, 'sessionId');
    if (method !== 'session/update' || typeof id !== 'string') return;
    const sessionId = this.sessionOf(id);
    this.#noteSubagent(sessionId, params);
    const event = valueAt(params, '_meta', eventNumber);
    const before = this.#received.get(sessionId) ?? nothing;
    this.#received.set(
      sessionId,
      typeof event === 'number' ? { event, updates: 0 } : { ...before, updates: before.updates + 1 },
    );
  }

  /** A prompt is sent to a hub, by an id. */
  prompt(sessionId: string, promptId: string): void {
    const prompts = [...(this.#prompts.get(sessionId) ?? []), promptId];
    this.#prompts.set(sessionId, prompts.slice(-mostPrompts));
  }

  /** A request was answered. */
  follow({ method, params }: RequestMessage, answer: Message): void {
    if (!('result' in answer) || !isJsonObject(params)) return;
    switch (method) {
      case 'session/new':
      case 'session/fork':
        this.#add(isJsonObject(answer.result) ? answer.result['sessionId'] : undefined, params);
        return;
      case 'session/load':
      case 'session/resume':
        this.#add(params['sessionId'], params);
        this.#know(params['sessionId'], valueAt(answer.result, '_meta', eventNumber));
        return;
      case 'session/prompt':
        this.#answered(params['sessionId'], valueAt(params, '_meta', 'parley/promptId'));
        return;
      case 'session/close':
      case 'session/delete':
        if (typeof params['sessionId'] === 'string') this.forget(params['sessionId']);
        return;
      default:
    }
  }

  #noteSubagent(sessionId: string, params: unknown): void {
    if (valueAt(params, 'update', 'sessionUpdate') !== 'subagent_update') return;
    const subagent = valueAt(params, 'update', 'sessionId');
    if (typeof subagent !== 'string' || subagent === sessionId || this.#sessions.has(subagent)) return;
    this.#subagents.set(subagent, sessionId);
    const [oldest] = this.#subagents.keys();
    if (this.#subagents.size > mostSubagents && oldest !== undefined) this.#subagents.delete(oldest);
  }

  #know(sessionId: unknown, event: unknown): void {
    if (typeof sessionId !== 'string' || typeof event !== 'number') return;
    this.#received.set(sessionId, { event, updates: 0 });
  }

  #answered(sessionId: unknown, promptId: unknown): void {
    if (typeof sessionId !== 'string') return;
    const prompts = this.#prompts.get(sessionId)?.filter((id) => id !== promptId);
    if (prompts !== undefined) this.#prompts.set(sessionId, prompts);
  }

  #add(
    sessionId: unknown,
    { cwd, mcpServers = [], additionalDirectories }: Readonly<Record<string, unknown>>,
  ): void {
    if (typeof sessionId !== 'string') return;
    // Of a session that has just begun, the client is sent everything.
    if (!this.#received.has(sessionId)) this.#received.set(sessionId, nothing);
    this.#sessions.set(sessionId, {
      sessionId,
      cwd,
      mcpServers,
      ...(additionalDirectories !== undefined && { additionalDirectories }),
    });
  }
}

const nothing: ReceivedUpdates = { event: 0, updates: 0 };

/** Remembered sub-agents; the oldest is forgotten first. */
const mostSubagents = 4096;

/** Remembered prompts without a response in each session. */
const mostPrompts = 100;
