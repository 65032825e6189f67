import {
  atMost,
  FrameFault,
  isMessage,
  isRequestId,
  rpcCodes,
  systemClock,
  type Clock,
  type CloseReason,
  type Message,
  type RequestId,
  type RequestMessage,
  type Transport,
} from '@parley/wire';
import { unauthorizedStatus } from '../agent/remote/unauthorized-status.ts';
import { BackOff, type RestartOptions } from '../agent/supervisor/back-off.ts';
import { untilAborted } from '../until-aborted.ts';
import { ProxiedConnection, type AnswerLimit } from './proxied-connection.ts';
import { ProxiedSessions } from './proxied-sessions.ts';
import { restoreSessions } from './restore-sessions.ts';
import { toHub } from './to-hub.ts';

/** Options of {@link proxyAgent}. */
export interface ProxyOptions {
  /** Where the client is: as a rule, standard input and output. */
  readonly client: Transport;
  /** Reaches the agent, at first and again. */
  readonly open: (signal: AbortSignal) => Promise<Transport>;
  /**
   * Whether the agent is a hub: after a reconnect, it sends the events after the last one that the client received.
   * @default false
   */
  readonly isHub?: boolean;
  /** How often to reconnect, and with which delays. @default 18 times, at most two seconds apart: half a minute */
  readonly restart?: RestartOptions;
  /** Time limit for the response to `initialize`; after it, the agent counts as unreachable. @default no limit */
  readonly startTimeoutMs?: number;
  /** Time limit for opening a session; when loading a session, limit of silence. @default no limit */
  readonly openTimeoutMs?: number;
  /** Receives messages for the user. */
  readonly report: (message: string) => void;
  /** @default the machine's own time */
  readonly clock?: Clock;
}

/** How a proxy ended. */
export interface ProxyEnd {
  /** The client wants no more, or the agent is out of reach. */
  readonly by: 'client' | 'agent';
  readonly message: string;
  /** The HTTP status if the server rejected the credentials. */
  readonly httpStatus?: number;
}

/** An agent that passes everything to another one. */
export interface AgentProxy {
  /** Settles when both sides have ended. Never rejects. */
  readonly ended: Promise<ProxyEnd>;
  /**
   * Ends the proxy as if the client had disconnected: turns are cancelled, and pending requests may be answered for a
   * moment.
   */
  end(): Promise<void>;
}

/**
 * Makes a remote agent available as a local one: it forwards every message, known or not; of the agent's messages,
 * values that are nested too deeply are left out. When the connection is lost, pending requests are answered with an
 * error, because their outcome is unknown. Then it reconnects and resumes the sessions, or loads them without
 * replaying known updates to the client. A hub sends the missed events.
 */
export function proxyAgent(options: ProxyOptions): AgentProxy {
  return new RunningProxy(options);
}

class RunningProxy implements AgentProxy {
  readonly ended: Promise<ProxyEnd>;
  readonly #options: ProxyOptions;
  readonly #clock: Clock;
  readonly #sessions = new ProxiedSessions();
  readonly #ending = new AbortController();
  #onEnded: (end: ProxyEnd) => void = () => {};
  #initialize: RequestMessage | undefined;
  #onAsked: () => void = () => {};
  /** Settles when the client asks for something the first time. */
  readonly #asked = new Promise<void>((resolve) => {
    this.#onAsked = resolve;
  });
  #onAnswered: () => void = () => {};
  /** Settles when the agent answers the first time. */
  readonly #answered = new Promise<void>((resolve) => {
    this.#onAnswered = resolve;
  });
  #isInitialized = false;
  #connection: ProxiedConnection | undefined;
  /** Messages of the client while the agent is unreachable. */
  #held: Message[] = [];
  #room: { readonly promise: Promise<void>; readonly settle: () => void } | undefined;
  #ids = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.ended = new Promise((resolve) => {
      this.#onEnded = resolve;
    });
    options.client.start({
      receive: (batch) => this.#fromClient(batch),
      close: ({ message }) => void this.#leaveWhenAnswered(message),
    });
    void this.#run();
  }

  async end(): Promise<void> {
    await this.#leave('it was ended');
  }

  // What the client says

  #fromClient(batch: readonly unknown[]): void | Promise<void> {
    const { isHub } = this.#options;
    const messages = batch
      .filter((value) => this.#check(value))
      .filter(isMessage)
      .map((message) => (isHub === true ? toHub(message, this.#sessions) : message));
    if (this.#connection !== undefined) return this.#connection.send(messages);
    // The questions of a lost connection have been taken back.
    this.#held.push(...messages.filter((message) => 'method' in message));
    if (this.#held.length <= heldMessages) return undefined;
    this.#room ??= createGate();
    return this.#room.promise;
  }

  /** Whether to forward a message; otherwise it is answered here. */
  #check(value: unknown): boolean {
    if (value instanceof FrameFault) {
      if (value.code !== 'truncated') {
        this.#refuse(null, rpcCodes.parseError, 'Parse error: could not read the message');
      }
      return false;
    }
    if (!isMessage(value)) {
      this.#refuse(idOf(value), rpcCodes.invalidRequest, 'Invalid request: no message of JSON-RPC 2.0');
      return false;
    }
    if (this.#initialize !== undefined || !('method' in value)) return true;
    if (value.method === 'initialize' && 'id' in value) {
      this.#initialize = value;
      this.#onAsked();
      return true;
    }
    const { method } = value;
    if ('id' in value) this.#refuse(idOf(value), rpcCodes.invalidRequest, `${method}: initialize first`);
    return false;
  }

  // The agent, again and again

  async #run(): Promise<void> {
    const backOff = new BackOff({ ...reconnecting, ...this.#options.restart });
    for (;;) {
      const { hasWorked, message, error } = await this.#live();
      if (this.#isEnding()) return;
      if (hasWorked) backOff.reset();
      const next = this.#isInitialized ? backOff.next() : undefined;
      if (next === undefined) return this.#fail(message, unauthorizedStatus(error));
      if (next.attempt === 1) {
        this.#options.report(`the connection to the agent was lost (${message}): connecting again`);
      }
      await this.#wait(next.delayMs);
      if (this.#isEnding()) return;
    }
  }

  /** Connects to the agent, and settles when the connection has ended. */
  async #live(): Promise<Pick<CloseReason, 'message' | 'error'> & { readonly hasWorked: boolean }> {
    let connection: ProxiedConnection;
    try {
      connection = await this.#open();
    } catch (error) {
      return { message: error instanceof Error ? error.message : String(error), error, hasWorked: false };
    }
    if (this.#isEnding()) {
      const message = 'the client has gone';
      await connection.close({ code: 'local', message });
      return { message, hasWorked: false };
    }
    this.#connection = connection;
    const held = this.#held;
    this.#held = [];
    void connection.send(held).then(() => this.#releaseRoom());
    const { message, error } = await connection.lost;
    this.#connection = undefined;
    if (!this.#ending.signal.aborted) this.#settle(connection, message);
    return { message, error, hasWorked: connection.hasAnswered };
  }

  async #open(): Promise<ProxiedConnection> {
    const { signal } = this.#ending;
    const { isHub = false } = this.#options;
    const transport = await this.#options.open(signal);
    const connection = new ProxiedConnection(transport, {
      toClient: (messages) => this.#toClient(messages),
      nextId: () => ++this.#ids,
      sessionOf: (id) => this.#sessions.sessionOf(id),
      onNotification: (message) => {
        this.#sessions.receive(message);
      },
      onAnswer: (request, answer) => {
        this.#onAnswered();
        if (request.method === 'initialize' && 'result' in answer) this.#isInitialized = true;
        this.#sessions.follow(request, answer);
      },
      limitOf: ({ method }) => this.#limitOf(method),
      onTimeout: (request, limitMs) => {
        const words = `no answer to ${request.method} in ${limitMs} ms`;
        if (request.method === 'initialize') {
          this.#refuse(request.id, rpcCodes.internalError, `the agent is unreachable: ${words}`);
          void connection.abandon(words);
          return;
        }
        this.#refuse(request.id, rpcCodes.internalError, `${words} from the agent`);
        const params = { requestId: request.id };
        void connection.send([{ jsonrpc: '2.0', method: '$/cancel_request', params }]);
      },
      clock: this.#clock,
    });
    if (!this.#isInitialized) return connection;
    try {
      signal.throwIfAborted();
      await restoreSessions(connection, this.#sessions, {
        isHub,
        initialize: this.#initialize,
        report: this.#options.report,
        clock: this.#clock,
        signal,
      });
    } catch (error) {
      await connection.close({ code: 'local', message: 'its sessions could not be restored' });
      throw error;
    }
    return connection;
  }

  #limitOf(method: string): AnswerLimit | undefined {
    const { startTimeoutMs, openTimeoutMs } = this.#options;
    const ms =
      method === 'initialize' ? startTimeoutMs : openingMethods.has(method) ? openTimeoutMs : undefined;
    return ms === undefined ? undefined : { ms, isOfSilence: method === 'session/load' };
  }

  /** Answers all pending requests of a lost connection with an error. */
  #settle(connection: ProxiedConnection, why: string): void {
    for (const requestId of connection.questions) {
      void this.#toClient([{ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId } }]);
    }
    for (const { id, method } of connection.unanswered) {
      const message = this.#isInitialized
        ? `the connection to the agent was lost (${why}); the outcome of this request is unknown`
        : `the agent is unreachable: ${why}`;
      this.#refuse(id, rpcCodes.internalError, `${method}: ${message}`);
    }
  }

  async #fail(why: string, httpStatus: number | undefined): Promise<void> {
    // The agent may be refused before the client's first request was read: it is answered, too.
    if (this.#initialize === undefined) await this.#wait(firstRequestMs, this.#asked);
    if (this.#isEnding()) return;
    for (const message of this.#held.splice(0)) {
      if ('method' in message && 'id' in message) {
        this.#refuse(
          message.id,
          rpcCodes.internalError,
          `${message.method}: the agent is unreachable: ${why}`,
        );
      }
    }
    await this.#finish({ by: 'agent', message: why, ...(httpStatus !== undefined && { httpStatus }) });
  }

  // What the client receives

  #refuse(id: RequestId, code: number, message: string): void {
    void this.#toClient([{ jsonrpc: '2.0', id, error: { code, message } }]);
  }

  #toClient(messages: readonly Message[]): void | Promise<void> {
    const sent = this.#options.client.send(
      messages.map((message) => ({ text: JSON.stringify(message), message })),
    );
    return sent?.catch((error: unknown) =>
      this.#leave(error instanceof Error ? error.message : String(error)),
    );
  }

  // The end

  /** The client has said everything, perhaps before the agent was reached: what it asked is answered, too. */
  async #leaveWhenAnswered(message: string): Promise<void> {
    if (this.#initialize !== undefined) await this.#wait(partingMs, this.#answered);
    await this.#leave(message);
  }

  /** The client has disconnected: cancels turns, and waits a moment for pending requests. */
  async #leave(message: string): Promise<void> {
    if (this.#ending.signal.aborted) return;
    const connection = this.#connection;
    this.#ending.abort();
    if (connection !== undefined) {
      const turns = connection.unanswered.filter(({ method }) => method === 'session/prompt');
      await connection.send(
        turns.map(({ params }): Message => ({
          jsonrpc: '2.0',
          method: 'session/cancel',
          params: sessionOf(params),
        })),
      );
      await atMost(partingMs, this.#clock, connection.settled());
      await connection.close({ code: 'local', message });
    }
    await this.#finish({ by: 'client', message });
  }

  async #finish(end: ProxyEnd): Promise<void> {
    this.#ending.abort();
    this.#releaseRoom();
    const reason: CloseReason = { code: 'local', message: end.message };
    await this.#options.client.close(reason);
    this.#onEnded(end);
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  #releaseRoom(): void {
    const room = this.#room;
    this.#room = undefined;
    room?.settle();
  }

  async #wait(ms: number, done = new Promise<void>(() => {})): Promise<void> {
    // Each wait listens for the end only as long as it lasts.
    const over = createGate();
    await atMost(ms, this.#clock, untilAborted(Promise.race([done, over.promise]), this.#ending.signal));
    over.settle();
  }
}

function sessionOf(params: unknown): object {
  return typeof params === 'object' && params !== null && 'sessionId' in params
    ? { sessionId: params.sessionId }
    : {};
}

function idOf(value: unknown): RequestId {
  return typeof value === 'object' && value !== null && 'id' in value && isRequestId(value.id)
    ? value.id
    : null;
}

function createGate(): { readonly promise: Promise<void>; readonly settle: () => void } {
  let settle = (): void => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

/** A hub that starts again can take as long as its slowest agent, ten seconds, before it listens. */
const reconnecting: RestartOptions = { attempts: 18, maxDelayMs: 2000 };

/** Messages of the client that wait while the agent is out of reach, before it is read no further. */
const heldMessages = 256;

/** Milliseconds for pending requests to be answered after the client has disconnected. */
const partingMs = 2000;

/** Milliseconds for a client to send its first request when the agent is unreachable. */
const firstRequestMs = 2000;

const openingMethods: ReadonlySet<string> = new Set([
  'session/new',
  'session/load',
  'session/resume',
  'session/fork',
]);
