import {
  isMessage,
  RpcError,
  type Clock,
  type CloseReason,
  type Message,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type Transport,
  valueAt,
} from '@parley/wire';
import { shallowTransport } from '../agent/shallow-transport.ts';

/** What a connection to the agent reports to its proxy. */
export interface ProxiedConnectionOptions {
  /** A message for the client. A promise asks the agent to wait. */
  readonly toClient: (messages: readonly Message[]) => void | Promise<void>;
  /** An id for a question to the client that no other has. */
  readonly nextId: () => number;
  /** The session that an id belongs to: its own, or that of a sub-agent. */
  readonly sessionOf: (id: string) => string;
  /** The agent sends a notification, which the client receives. */
  readonly onNotification: (message: NotificationMessage) => void;
  /** A request of the client's was answered. */
  readonly onAnswer: (request: RequestMessage, answer: Message) => void;
  /** Returns the time limit of a request; undefined for none. */
  readonly limitOf: (request: RequestMessage) => AnswerLimit | undefined;
  /** Called when a client's request timed out. A later response of the agent is dropped. */
  readonly onTimeout: (request: RequestMessage, limitMs: number) => void;
  readonly clock: Clock;
}

/** The time limit of a response. It is paused while the client answers a question. */
export interface AnswerLimit {
  readonly ms: number;
  /** Whether the limit is for silence only: a replay precedes the response. */
  readonly isOfSilence: boolean;
}

/** One connection to the agent, from its beginning to its end. */
export class ProxiedConnection {
  /** Why it ended. Never rejects. */
  readonly lost: Promise<CloseReason>;
  readonly #transport: Transport;
  readonly #options: ProxiedConnectionOptions;
  /** The client's requests. */
  readonly #asked = new Map<string, RequestMessage>();
  /** Stops the timers of requests that have a limit. */
  readonly #timers = new Map<string, () => void>();
  /** Requests that were cancelled, the oldest first. */
  readonly #overdue = new Set<string>();
  #heardAt = 0;
  /** The agent's requests: by the id that the client knows, the agent's own. */
  readonly #asking = new Map<number, RequestId>();
  /** Our own requests. */
  readonly #own = new Map<string, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  /** Sessions whose updates the client already has. */
  readonly #muted = new Set<string>();
  #setLost: (reason: CloseReason) => void = () => {};
  #onSettled: (() => void) | undefined;
  #hasAnswered = false;

  constructor(transport: Transport, options: ProxiedConnectionOptions) {
    // The client need not be able to read values at any depth.
    this.#transport = shallowTransport(transport);
    this.#options = options;
    this.lost = new Promise((resolve) => {
      this.#setLost = resolve;
    });
    this.#transport.start({
      receive: (batch) => this.#receive(batch),
      close: (reason) => {
        this.#lose(reason);
      },
    });
  }

  /** Whether a request of the client's was answered on this connection. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** The client's requests that are not answered. */
  get unanswered(): readonly RequestMessage[] {
    return [...this.#asked.values()];
  }

  /** The ids of the agent's questions that are not answered, as the client knows them. */
  get questions(): readonly number[] {
    return [...this.#asking.keys()];
  }

  /** Sends messages of the client. A failure is reported by the end of the connection. */
  async send(messages: readonly Message[]): Promise<void> {
    const sent = messages.flatMap((message) => this.#toAgent(message) ?? []);
    if (sent.length === 0) return;
    try {
      await this.#transport.send(sent.map((message) => ({ text: JSON.stringify(message), message })));
    } catch (error) {
      this.#lose({ code: 'failed', message: error instanceof Error ? error.message : String(error), error });
      await this.#transport.close({ code: 'failed', message: 'writing failed' });
    }
  }

  /** Asks something on our own account. */
  ask(method: string, params: unknown): Promise<unknown> {
    const id = `parley-proxy-${this.#options.nextId()}`;
    const message: Message = { jsonrpc: '2.0', id, method, params };
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#own.set(JSON.stringify(id), { resolve, reject });
    });
    const sent = this.#transport.send([{ text: JSON.stringify(message), message }]);
    return sent === undefined ? answer : Promise.race([answer, sent.then(() => answer)]);
  }

  /** While this runs, updates of a session and its sub-agents are not passed to the client. */
  async whileMuted<T>(sessionId: string, run: () => Promise<T>): Promise<T> {
    this.#muted.add(sessionId);
    try {
      return await run();
    } finally {
      this.#muted.delete(sessionId);
    }
  }

  /** Settles when no request of the client's is open. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSettled = resolve;
      if (this.#asked.size === 0) resolve();
    });
  }

  close(reason: CloseReason): Promise<void> {
    return this.#transport.close(reason);
  }

  /** Closes the connection; `lost` settles with this message. */
  async abandon(message: string): Promise<void> {
    this.#lose({ code: 'failed', message });
    await this.#transport.close({ code: 'failed', message });
  }

  #toAgent(message: Message): Message | undefined {
    if ('method' in message) {
      if ('id' in message) this.#expect(message);
      return message;
    }
    // An answer to a question of a closed connection is ignored.
    const own = typeof message.id === 'number' ? this.#asking.get(message.id) : undefined;
    if (own === undefined || typeof message.id !== 'number') return undefined;
    this.#asking.delete(message.id);
    return { ...message, id: own };
  }

  #expect(request: RequestMessage): void {
    const key = JSON.stringify(request.id);
    this.#asked.set(key, request);
    const limit = this.#options.limitOf(request);
    if (limit !== undefined) this.#startTimer(key, request, limit, limit.ms);
  }

  #startTimer(key: string, request: RequestMessage, limit: AnswerLimit, leftMs: number): void {
    const { clock, onTimeout } = this.#options;
    const stop = clock.after(leftMs, () => {
      // A user decides.
      if (this.#asking.size > 0) return this.#startTimer(key, request, limit, limit.ms);
      const silentMs = clock.now() - this.#heardAt;
      if (limit.isOfSilence && silentMs < limit.ms) {
        return this.#startTimer(key, request, limit, limit.ms - silentMs);
      }
      this.#timers.delete(key);
      this.#asked.delete(key);
      this.#overdue.add(key);
      const [oldest] = this.#overdue;
      if (this.#overdue.size > overdueLimit && oldest !== undefined) this.#overdue.delete(oldest);
      onTimeout(request, limit.ms);
      if (this.#asked.size === 0) this.#onSettled?.();
      return undefined;
    });
    this.#timers.set(key, stop);
  }

  #receive(batch: readonly unknown[]): void | Promise<void> {
    this.#heardAt = this.#options.clock.now();
    // What is no message is not passed on.
    const messages = batch.filter(isMessage).flatMap((message) => this.#fromAgent(message) ?? []);
    return messages.length === 0 ? undefined : this.#options.toClient(messages);
  }

  #fromAgent(message: Message): Message | undefined {
    if (!('method' in message)) return this.#answer(message);
    if ('id' in message) {
      const id = this.#options.nextId();
      this.#asking.set(id, message.id);
      return { ...message, id };
    }
    if (message.method === '$/cancel_request') return this.#translateCancel(message);
    const id = valueAt(message.params, 'sessionId');
    if (typeof id === 'string' && this.#muted.has(this.#options.sessionOf(id))) return undefined;
    this.#options.onNotification(message);
    return message;
  }

  #answer(message: Exclude<Message, { readonly method: string }>): Message | undefined {
    const key = JSON.stringify(message.id);
    const own = this.#own.get(key);
    if (own !== undefined) {
      this.#own.delete(key);
      if ('error' in message) own.reject(new RpcError(message.error.code, message.error.message));
      else own.resolve(message.result);
      return undefined;
    }
    if (this.#overdue.delete(key)) return undefined;
    const request = this.#asked.get(key);
    if (request !== undefined) {
      this.#asked.delete(key);
      this.#timers.get(key)?.();
      this.#timers.delete(key);
      this.#hasAnswered = true;
      this.#options.onAnswer(request, message);
      if (this.#asked.size === 0) this.#onSettled?.();
    }
    return message;
  }

  #translateCancel(
    message: Message & { readonly method: string; readonly params?: unknown },
  ): Message | undefined {
    const cancelled = JSON.stringify(valueAt(message.params, 'requestId'));
    for (const [id, own] of this.#asking) {
      if (JSON.stringify(own) !== cancelled) continue;
      const params =
        typeof message.params === 'object' ? { ...message.params, requestId: id } : { requestId: id };
      return { ...message, params };
    }
    return undefined;
  }

  #lose(reason: CloseReason): void {
    for (const { reject } of this.#own.values()) reject(new Error(reason.message));
    this.#own.clear();
    for (const stop of this.#timers.values()) stop();
    this.#timers.clear();
    this.#onSettled?.();
    this.#setLost(reason);
  }
}

/** Cancelled requests that may still be answered; the oldest are dropped first. */
const overdueLimit = 256;
