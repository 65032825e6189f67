import { invalidRequest, type ClientCapabilities } from '@parley/acp';
import type { LoggedEvent } from '@parley/host';
import type { HubAnswer, HubQuestion } from '@parley/host/hub';
import type { HubSessions } from '../../hub/sessions/hub-sessions.ts';
import type { ExtensionNotice } from '../../hub/sessions/session-clients.ts';
import type { UnreadLimit } from '../session-watch.ts';
import { ClientQuestions } from './client-questions.ts';
import { FollowedSession, type Replay } from './followed-session.ts';

/** A client of plain ACP, as its sessions reach it. */
export interface PlainClient {
  mayChange(key: string): boolean;
  takesForm(mode: string): boolean;
  /** What it declared. */
  capabilities(): ClientCapabilities;
  /** Whether it asked for the numbers of events. */
  numbersEvents(): boolean;
  ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** Has the owner of a session take an answer of its user. @throws {RpcError} It comes too late. */
  answer(question: HubQuestion, answer: HubAnswer): Promise<void>;
  notify(method: string, params: unknown): Promise<void>;
  /** How far behind it may be. */
  readonly unread: UnreadLimit;
}

/** The sessions that a client has open as plain ACP knows them: it began, loaded or resumed them. */
export class PlainSessions {
  readonly #table: HubSessions;
  readonly #client: PlainClient;
  readonly #followed = new Map<string, FollowedSession>();
  readonly #begun = new Set<string>();
  readonly #ownPrompts = new Set<string>();
  readonly #questions: ClientQuestions;
  readonly #unlisten: () => void;
  #last: string | undefined;

  constructor(table: HubSessions, client: PlainClient) {
    this.#table = table;
    this.#client = client;
    this.#questions = new ClientQuestions({
      ask: (method, params, signal) => client.ask(method, params, signal),
      takesForm: (mode) => client.takesForm(mode),
      showsSubagents: () => client.capabilities().subagents !== undefined,
      decide: (question, answer) => client.answer(question, answer),
    });
    this.#unlisten = table.listen({
      questions: () => {
        this.#ask();
      },
      session: (key) => {
        if (table.session(key) === undefined) this.end(key);
      },
    });
  }

  /** The one that was opened last. */
  get last(): string | undefined {
    return this.#last;
  }

  /** Whether the client is sent the numbers of events. */
  numbersEvents(): boolean {
    return this.#client.numbersEvents();
  }

  has(key: string): boolean {
    return this.#followed.has(key);
  }

  /** The session that a sub-agent works for, as far as the client knows it. */
  sessionOf(subagent: string): string | undefined {
    for (const [key, followed] of this.#followed) if (followed.hasSubagent(subagent)) return key;
    return undefined;
  }

  /** Whether the client can be asked such a question. */
  shows(question: HubQuestion): boolean {
    return this.#questions.shows(question);
  }

  /** Whether the client began it, and has it open. */
  hasBegun(key: string): boolean {
    return this.#begun.has(key);
  }

  /** The client begins a session, and learns what happens in it once it knows its id. */
  begin(key: string): void {
    this.#begun.add(key);
    this.#last = key;
  }

  /** Opens a session; settles when the client knows what it is to know of the time before. @throws {RpcError} */
  async open(key: string, replay: Replay): Promise<FollowedSession> {
    await this.#table.expect(key);
    const known = this.#followed.get(key);
    if (known !== undefined && replay === 'none') {
      await known.caughtUp;
      return known;
    }
    known?.end();
    this.#followed.delete(key);
    const { watches } = this.#table.limits;
    if (this.#followed.size >= watches) {
      throw invalidRequest(`${String(watches)} sessions are open on this connection; close some first`);
    }
    const followed = new FollowedSession({
      key,
      store: this.#table.store,
      replay,
      numbersEvents: this.numbersEvents(),
      capabilities: this.#client.capabilities(),
      unread: this.#client.unread,
      isOwnPrompt: (promptId) => this.#ownPrompts.has(promptId),
      notify: (method, params) => this.#client.notify(method, params),
      onSent: (event) => {
        this.#take(event);
      },
    });
    this.#followed.set(key, followed);
    this.#last = key;
    followed.ended
      .catch((error: unknown) => {
        this.#table.options.onFault?.(error);
      })
      .finally(() => {
        if (this.#followed.get(key) === followed) this.#followed.delete(key);
      });
    await followed.caughtUp;
    this.#know(key);
    return followed;
  }

  /** A prompt of the client's own is about to be sent: the client does not receive it. */
  own(promptId: string): void {
    this.#ownPrompts.add(promptId);
  }

  /** The turn of an own prompt has ended, and the client knows. */
  disown(promptId: string): void {
    this.#ownPrompts.delete(promptId);
  }

  /** Settles when the client knows what has happened in a session up to an event. Never rejects. */
  async sent(key: string, seq: number): Promise<void> {
    await this.#followed.get(key)?.sent(seq);
  }

  /** Passes a notification on that says nothing about the session's state. */
  notify(key: string, notice: ExtensionNotice): void {
    if (notice.method === 'elicitation/complete' && !this.#client.takesForm('url')) return;
    this.#followed.get(key)?.take(notice);
  }

  /** The session is closed, or deleted. */
  end(key: string): void {
    this.#followed.get(key)?.end();
    this.#followed.delete(key);
    this.#begun.delete(key);
    if (this.#last === key) this.#last = undefined;
    this.#ask();
  }

  /** The client has disconnected. */
  endAll(): void {
    this.#unlisten();
    for (const followed of this.#followed.values()) followed.end();
    this.#followed.clear();
    this.#begun.clear();
    this.#questions.follow([]);
  }

  #take(event: LoggedEvent): void {
    switch (event.type) {
      case 'permission-request':
      case 'elicitation-request':
        this.#questions.know([event.requestId]);
        this.#ask();
        break;
      case 'permission':
      case 'elicitation':
        this.#questions.forget(event.requestId);
        break;
      default:
        break;
    }
  }

  #know(key: string): void {
    const open = this.#table.questions.filter((question) => question.key === key);
    this.#questions.know(open.map(({ requestId }) => requestId));
    this.#ask();
  }

  #ask(): void {
    this.#questions.follow(this.#table.questions.filter((question) => this.#isAsked(question)));
  }

  #isAsked({ key }: HubQuestion): boolean {
    return this.#followed.get(key)?.isCaughtUp === true && this.#client.mayChange(key);
  }
}
