import {
  atMost,
  defaultMaxMessageBytes,
  rpcCodes,
  systemClock,
  type Clock,
  type CloseReason,
  type OutgoingFrame,
  type Receiver,
  type RpcErrorObject,
  type Transport,
} from '@parley/wire';
import { acpCodes, AcpError } from '../../acp-error.ts';
import { isObject } from '../../schema/value.ts';
import { connectionHeader, eventStreamType, jsonType, sessionHeader } from '../headers.ts';
import { markNumberOf } from '../load-mark.ts';
import { endsSession, methodOf, requestKeyOf, sessionOfAnswer, sessionOfCall } from '../message-scope.ts';
import { readBody } from '../read-body.ts';
import { traceHeadersOf } from '../trace-headers.ts';
import {
  describeFailure,
  describeStatus,
  Exchange,
  isUnauthorized,
  toError,
  type Fetch,
} from './exchange.ts';
import { readEvents, type EventBatch } from './read-events.ts';
import { SessionStream } from './session-stream.ts';

/** Options of a streamable HTTP transport. */
export interface HttpTransportOptions {
  /** Headers of each request, for example `Authorization`. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the platform's `fetch` */
  readonly fetch?: Fetch;
  /** The longest message, in bytes; a longer one is skipped. @default 80 MiB */
  readonly maxMessageBytes?: number;
  /** @default the system's clock */
  readonly clock?: Clock;
}

/**
 * ACP over streamable HTTP: each message is a POST request; responses arrive on streams of server-sent events, one
 * for the connection and one for each session. The first message must be `initialize`. Source: ACP, remote
 * transports.
 */
export function httpTransport(url: string | URL, options: HttpTransportOptions = {}): Transport {
  return new HttpTransport(String(url), options);
}

/** A request without an answer yet. */
interface OpenRequest {
  readonly method: string | undefined;
  readonly sessionId: string | undefined;
}

class HttpTransport implements Transport {
  readonly #exchange: Exchange;
  readonly #clock: Clock;
  readonly #maxMessageBytes: number;
  /** Ends every request that is under way. */
  readonly #abort = new AbortController();
  readonly #sessions = new Map<string, SessionStream>();
  /** Our requests. */
  readonly #asked = new Map<string, OpenRequest>();
  /** The agent's requests, and their sessions. */
  readonly #asking = new Map<string, string | undefined>();
  #receiver: Receiver | undefined;
  #connectionId: string | undefined;
  #sending: Promise<void> = Promise.resolve();
  #end: CloseReason | undefined;
  #isClosing = false;

  constructor(url: string, options: HttpTransportOptions) {
    this.#exchange = new Exchange(
      url,
      options.fetch ?? ((...request) => fetch(...request)),
      options.headers ?? {},
    );
    this.#clock = options.clock ?? systemClock;
    this.#maxMessageBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  send(batch: readonly OutgoingFrame[]): Promise<void> {
    if (this.#isClosing) return Promise.reject(new Error('the transport was closed'));
    const sent = this.#sending.then(() => this.#sendAll(batch));
    this.#sending = sent.catch(() => {
      // Rejects pending sends; what is sent later fails by itself.
    });
    return sent;
  }

  async close(reason: CloseReason): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#receiver = undefined;
    await atMost(partingMs, this.#clock, this.#sending);
    this.#finish(reason);
    if (this.#connectionId === undefined) return;
    // In any case: the server need not wait to detect that this client has disconnected.
    const parting = new AbortController();
    const headers = { [connectionHeader]: this.#connectionId };
    await atMost(
      partingMs,
      this.#clock,
      this.#exchange.send({ method: 'DELETE', headers, signal: parting.signal }).then(discardBody),
    );
    parting.abort();
  }

  // What goes out

  async #sendAll(batch: readonly OutgoingFrame[]): Promise<void> {
    for (const frame of batch) {
      if (this.#end !== undefined) throw new Error(this.#end.message);
      try {
        if (this.#connectionId === undefined) await this.#open(frame);
        else await this.#post(frame, this.#connectionId);
      } catch (error) {
        this.#fail(error);
        throw error;
      }
    }
  }

  /** The first message opens the connection; its answer is the response. */
  async #open({ text, message }: OutgoingFrame): Promise<void> {
    const headers = { 'Content-Type': jsonType, Accept: jsonType, ...traceHeadersOf(message) };
    const response = await this.#request({ method: 'POST', headers, body: text });
    if (isUnauthorized(response.status)) {
      await discardBody(response);
      throw toError(response);
    }
    const body = await readBody(response, this.#maxMessageBytes);
    const answer = body === undefined ? undefined : parse(body);
    const isAnswer = isObject(answer) && requestKeyOf(answer) === requestKeyOf(message);
    const connectionId = response.headers.get(connectionHeader) ?? undefined;
    if (response.ok && connectionId !== undefined) {
      this.#connectionId = connectionId;
      void this.#listen();
    } else if (!isAnswer || !('error' in answer)) {
      if (!response.ok) throw toError(response);
      throw new Error(`the server's answer has no ${connectionHeader}: it may not be a server of ACP`);
    }
    if (!isAnswer) throw new Error("the server's response does not belong to the message");
    await this.#receiver?.receive([answer], body?.length ?? 0);
  }

  async #post(frame: OutgoingFrame, connectionId: string): Promise<void> {
    const { text, message } = frame;
    const [key, method] = [requestKeyOf(message), methodOf(message)];
    const isAnswer = method === undefined && key !== undefined;
    const sessionId = isAnswer ? this.#asking.get(key) : sessionOfCall(message);
    if (isAnswer) this.#asking.delete(key);
    if (sessionId !== undefined) {
      const refusal = await this.#openSession(sessionId);
      if (refusal !== undefined) return this.#refuse(frame, refusal);
    }
    if (key !== undefined && !isAnswer) this.#asked.set(key, { method, sessionId });
    const headers = {
      'Content-Type': jsonType,
      [connectionHeader]: connectionId,
      ...(sessionId !== undefined && { [sessionHeader]: sessionId }),
      ...traceHeadersOf(message),
    };
    const response = await this.#request({ method: 'POST', headers, body: text });
    await discardBody(response);
    if (response.ok) return;
    if (response.status === 404) throw new Error('the server no longer knows this connection (404)');
    // Nothing more can be said on this connection. Source: ACP, remote transports.
    if (isUnauthorized(response.status) || response.status === 410) throw toError(response);
    this.#refuse(frame, { code: rpcCodes.internalError, message: describeStatus(response) });
  }

  /** The server did not take a message, and the connection lives: its request is answered here. */
  #refuse({ message }: OutgoingFrame, error: RpcErrorObject): void {
    const key = requestKeyOf(message);
    if (key === undefined || !('method' in message && 'id' in message)) throw new Error(error.message);
    this.#asked.delete(key);
    void this.#receiver?.receive([{ jsonrpc: '2.0', id: message.id, error }], 0);
  }

  /** Opens the stream of a session before anything is said about it. */
  async #openSession(sessionId: string): Promise<RpcErrorObject | undefined> {
    const stream = this.#streamOf(sessionId);
    try {
      // A server, or what is in front of it, may keep the headers until there is something to send.
      await Promise.race([stream.opened, new Promise<void>((resolve) => this.#clock.after(openMs, resolve))]);
      return undefined;
    } catch (error) {
      if (error instanceof AcpError) throw error;
      if (error instanceof UnknownSessionError) {
        return { code: acpCodes.resourceNotFound, message: error.message, data: { sessionId } };
      }
      return { code: rpcCodes.internalError, message: describeFailure(error) };
    }
  }

  #streamOf(sessionId: string): SessionStream {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const stream = new SessionStream((self, onOpen) => this.#listenTo(sessionId, self, onOpen));
    this.#sessions.set(sessionId, stream);
    void stream.ended.then(() => this.#onSessionEnded(sessionId, stream));
    return stream;
  }

  async #request(request: {
    readonly method: 'POST' | 'GET';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal?: AbortSignal;
  }): Promise<Response> {
    try {
      return await this.#exchange.send({ signal: this.#abort.signal, ...request });
    } catch (error) {
      throw new Error(describeFailure(error), { cause: error });
    }
  }

  // What comes in

  /** Reads the stream of the connection, from its beginning to its end. */
  async #listen(): Promise<void> {
    try {
      const response = await this.#request({ method: 'GET', headers: this.#streamHeaders() });
      if (!response.ok) throw toError(response);
      for await (const batch of readEvents(bodyOf(response), this.#maxMessageBytes)) {
        await this.#take(batch, undefined);
      }
    } catch (error) {
      return this.#fail(error);
    }
    // What the server still had for its sessions comes on their streams.
    await atMost(partingMs, this.#clock, Promise.all([...this.#sessions.values()].map(({ ended }) => ended)));
    this.#finish({ code: 'end-of-input', message: 'the server ended the connection' });
  }

  async #listenTo(sessionId: string, stream: SessionStream, onOpen: () => void): Promise<void> {
    const headers = { ...this.#streamHeaders(), [sessionHeader]: sessionId };
    const { signal } = stream.abort;
    const response = await this.#request({ method: 'GET', headers, signal });
    if (response.status === 404) throw new UnknownSessionError(sessionId);
    if (!response.ok) throw toError(response);
    onOpen();
    for await (const batch of readEvents(bodyOf(response), this.#maxMessageBytes)) {
      await this.#take(batch, sessionId);
      stream.heard(markNumberOf(batch.lastId));
    }
  }

  #streamHeaders(): Record<string, string> {
    return { Accept: eventStreamType, [connectionHeader]: this.#connectionId ?? '' };
  }

  async #take({ values, ids, bytes }: EventBatch, sessionId: string | undefined): Promise<void> {
    const batch = values.filter((value, index) => this.#follow(value, ids[index], sessionId));
    if (batch.length > 0) await this.#receiver?.receive(batch, bytes);
  }

  /** Records what a message changes. Returns whether it should be delivered now. */
  #follow(message: unknown, id: string | undefined, streamSession: string | undefined): boolean {
    const key = requestKeyOf(message);
    if (key === undefined) return true;
    if (methodOf(message) !== undefined) {
      this.#asking.set(key, sessionOfCall(message) ?? streamSession);
      return true;
    }
    const { method, sessionId } = this.#asked.get(key) ?? {};
    this.#asked.delete(key);
    const opened = sessionOfAnswer(message);
    if (opened !== undefined && this.#end === undefined) this.#streamOf(opened);
    if (sessionId === undefined) return true;
    if (endsSession(method) && isObject(message) && 'result' in message) {
      void Promise.resolve().then(() => this.#forget(sessionId));
    }
    if (method !== 'session/load' || streamSession !== undefined) return true;
    void this.#handOnInOrder(message, sessionId, markNumberOf(id));
    return false;
  }

  /** The answer to `session/load` waits for what was replayed on the other stream. */
  async #handOnInOrder(answer: unknown, sessionId: string, mark: number | undefined): Promise<void> {
    const stream = this.#sessions.get(sessionId);
    if (stream !== undefined) {
      // A server that is not ours does not say where the replay ends.
      const replayed = mark === undefined ? stream.quiet(quietMs, this.#clock) : stream.reached(mark);
      await atMost(replayMs, this.#clock, replayed);
    }
    await this.#receiver?.receive([answer], 0);
  }

  #forget(sessionId: string): void {
    const stream = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    stream?.abort.abort();
  }

  // The end

  async #onSessionEnded(sessionId: string, stream: SessionStream): Promise<void> {
    if (this.#sessions.get(sessionId) !== stream) return;
    this.#sessions.delete(sessionId);
    if (!this.#isWaitedFor(sessionId)) return;
    // It may be the whole connection that ends: then that is the reason.
    await new Promise<void>((resolve) => this.#clock.after(partingMs, resolve));
    if (!this.#isWaitedFor(sessionId)) return;
    this.#fail(new Error(`the stream of session ${sessionId} ended while a request was open`));
  }

  #isWaitedFor(sessionId: string): boolean {
    const isOpen = [...this.#asked.values()].some((request) => request.sessionId === sessionId);
    return this.#end === undefined && (isOpen || [...this.#asking.values()].includes(sessionId));
  }

  #fail(error: unknown): void {
    this.#finish({ code: 'failed', message: describeFailure(error), error });
  }

  #finish(reason: CloseReason): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#abort.abort();
    for (const stream of this.#sessions.values()) stream.abort.abort();
    this.#receiver?.close(reason);
  }
}

/** The server knows nothing of a session, and cannot bring it back. */
class UnknownSessionError extends Error {
  constructor(sessionId: string) {
    super(`session ${sessionId}: the server does not know it`);
  }
}

function parse(body: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return value;
  } catch {
    return undefined;
  }
}

function bodyOf({ body }: Response): ReadableStream<Uint8Array> {
  if (body === null) throw new Error("the server's stream has no body");
  return body;
}

/** What is of no interest must still be taken, or the connection below is not free again. */
async function discardBody(response: Response): Promise<void> {
  await response.body?.cancel();
}

/** Milliseconds for the other side to handle messages in transit when the connection closes. */
const partingMs = 1000;

/** Milliseconds that a message waits for the stream of its session to open. */
const openMs = 5000;

/** Milliseconds that the response to `session/load` waits for the replayed updates. */
const replayMs = 10_000;

/** Milliseconds of silence on a session's stream that end a replay, if the server does not mark its end. */
const quietMs = 100;
