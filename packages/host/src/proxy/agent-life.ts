import {
  isMessage,
  RpcError,
  type CloseReason,
  type Message,
  type RequestId,
  type RequestMessage,
  type Transport,
} from '@parley/wire';
import { memberOf } from './member-of.ts';

/** What a connection to the agent tells its proxy. */
export interface AgentLifeOptions {
  /** A message for the client. A promise asks the agent to wait. */
  readonly toClient: (messages: readonly Message[]) => void | Promise<void>;
  /** An id for a question to the client that no other has. */
  readonly nextId: () => number;
  /** A request of the client's was answered. */
  readonly onAnswer: (request: RequestMessage, answer: Message) => void;
}

/** One connection to the agent, from its beginning to its end. */
export class AgentLife {
  /** Why it ended. Never rejects. */
  readonly lost: Promise<CloseReason>;
  readonly #transport: Transport;
  readonly #options: AgentLifeOptions;
  /** The client's requests. */
  readonly #asked = new Map<string, RequestMessage>();
  /** The agent's requests: by the id that the client knows, the agent's own. */
  readonly #asking = new Map<number, RequestId>();
  /** Our own requests. */
  readonly #own = new Map<string, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  /** Sessions of which the client knows already what is said now. */
  readonly #muted = new Set<string>();
  #setLost: (reason: CloseReason) => void = () => {};
  #onSettled: (() => void) | undefined;
  #hasAnswered = false;

  constructor(transport: Transport, options: AgentLifeOptions) {
    this.#transport = transport;
    this.#options = options;
    this.lost = new Promise((resolve) => {
      this.#setLost = resolve;
    });
    transport.start({
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

  /** Passes on what the client says. What fails is told by the end of the connection. */
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

  /** While this runs, the client is not told what the agent says of a session. */
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

  #toAgent(message: Message): Message | undefined {
    if ('method' in message) {
      if ('id' in message) this.#asked.set(JSON.stringify(message.id), message);
      return message;
    }
    // An answer to a question of a connection that is gone is nobody's.
    const own = typeof message.id === 'number' ? this.#asking.get(message.id) : undefined;
    if (own === undefined || typeof message.id !== 'number') return undefined;
    this.#asking.delete(message.id);
    return { ...message, id: own };
  }

  #receive(batch: readonly unknown[]): void | Promise<void> {
    // What is no message concerns nobody at the other end.
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
    const sessionId = memberOf(message.params, 'sessionId');
    return typeof sessionId === 'string' && this.#muted.has(sessionId) ? undefined : message;
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
    const request = this.#asked.get(key);
    if (request !== undefined) {
      this.#asked.delete(key);
      this.#hasAnswered = true;
      this.#options.onAnswer(request, message);
      if (this.#asked.size === 0) this.#onSettled?.();
    }
    return message;
  }

  #translateCancel(
    message: Message & { readonly method: string; readonly params?: unknown },
  ): Message | undefined {
    const cancelled = JSON.stringify(memberOf(message.params, 'requestId'));
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
    this.#onSettled?.();
    this.#setLost(reason);
  }
}
