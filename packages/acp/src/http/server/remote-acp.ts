import {
  acceptsType,
  isRequestId,
  RpcError,
  rpcCodes,
  systemClock,
  webSocketTransport,
  type Clock,
  type CloseReason,
  type Transport,
  type WebSocketLike,
} from '@parley/wire';
import { isObject } from '../../schema/value.ts';
import { connectionHeader, eventStreamType, jsonType, sessionHeader } from '../headers.ts';
import { methodOf } from '../message-scope.ts';
import { readBody } from '../read-body.ts';
import { traceFrom, withTrace } from '../trace-headers.ts';
import { refuse, refuseMessage } from './refuse.ts';
import { RemoteConnection } from './remote-connection.ts';
import { defaultRemoteLimits, type RemoteLimits } from './remote-limits.ts';
import { watchTransport } from './watch-transport.ts';

/** A client that has connected. */
export interface RemoteClient {
  /** The id that the client sends with each request. Not a secret. */
  readonly connectionId: string;
  /** The request that opened the connection: its URL may name an agent, and its headers identify the client. */
  readonly request: Request;
}

/** Options of a remote ACP server. */
export interface RemoteAcpOptions {
  /**
   * Connects an agent to the transport of a new client. Messages of the client wait until this settles. Throwing
   * rejects the client; an `RpcError` is sent with its own code and message.
   */
  readonly accept: (transport: Transport, client: RemoteClient) => void | Promise<void>;
  readonly limits?: Partial<RemoteLimits>;
  /** @default the system's clock */
  readonly clock?: Clock;
  /** Creates the id of a connection. @default crypto.randomUUID */
  readonly createId?: () => string;
}

/** A WebSocket that is about to be opened. */
export interface RemoteUpgrade {
  readonly connectionId: string;
  /** Headers of the response to the upgrade. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Accepts the socket, before it receives anything. */
  accept(socket: WebSocketLike): void;
}

/** Serves agents to remote clients over streamable HTTP and WebSocket. The caller authorizes requests. */
export interface RemoteAcp extends AsyncDisposable {
  /** Number of connected clients. */
  readonly connections: number;
  /** Handles one request of streamable HTTP. Never rejects. */
  handle(request: Request): Promise<Response>;
  /** Starts the upgrade of a request to a WebSocket; undefined if there are too many connections. */
  upgrade(request: Request): RemoteUpgrade | undefined;
  /** Ends all connections. Agents are notified, and streams end. */
  close(reason?: CloseReason): Promise<void>;
}

/** Serves ACP over streamable HTTP and WebSocket. Source: ACP, remote transports; docs/decisions/0012-remote-acp.md. */
export function createRemoteAcp(options: RemoteAcpOptions): RemoteAcp {
  return new Server(options);
}

class Server implements RemoteAcp {
  readonly #options: RemoteAcpOptions;
  readonly #limits: RemoteLimits;
  readonly #clock: Clock;
  readonly #connections = new Map<string, RemoteConnection>();
  readonly #sockets = new Set<(reason: CloseReason) => Promise<void>>();

  constructor(options: RemoteAcpOptions) {
    this.#options = options;
    this.#limits = { ...defaultRemoteLimits, ...options.limits };
    this.#clock = options.clock ?? systemClock;
  }

  get connections(): number {
    return this.#connections.size + this.#sockets.size;
  }

  async handle(request: Request): Promise<Response> {
    switch (request.method) {
      case 'POST':
        return this.#post(request);
      case 'GET':
        return this.#get(request);
      case 'DELETE':
        return this.#delete(request);
      default:
        return refuse(405, 'use POST, GET or DELETE', { Allow: 'POST, GET, DELETE' });
    }
  }

  upgrade(request: Request): RemoteUpgrade | undefined {
    if (this.connections >= this.#limits.connections) return undefined;
    const connectionId = this.#createId();
    return {
      connectionId,
      headers: [[connectionHeader, connectionId]],
      accept: (socket) => this.#acceptSocket(socket, { connectionId, request }),
    };
  }

  async close(
    reason: CloseReason = { code: 'end-of-input', message: 'the server is stopping' },
  ): Promise<void> {
    await Promise.all([
      ...[...this.#connections.values()].map((connection) => connection.end(reason)),
      ...[...this.#sockets].map((end) => end(reason)),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #post(request: Request): Promise<Response> {
    const { headers } = request;
    const type = mediaTypeOf(headers.get('Content-Type'));
    if (type !== jsonType) {
      return refuse(
        415,
        `the body ${type === undefined ? 'does not say what it is' : `is ${type}`}; it has to be ${jsonType}`,
      );
    }
    let body: Uint8Array | undefined;
    try {
      body = await readBody(request, this.#limits.maxMessageBytes);
    } catch {
      return refuse(400, 'the body ended too early');
    }
    if (body === undefined) {
      return refuse(413, `a message may have at most ${this.#limits.maxMessageBytes} bytes`);
    }
    const message = parseBody(body);
    if (message === undefined) {
      return refuseMessage(400, { code: rpcCodes.parseError, message: 'the body is not valid JSON' });
    }
    if (Array.isArray(message)) return refuse(501, 'batches are not part of ACP');
    if (!isObject(message)) {
      return refuseMessage(400, { code: rpcCodes.invalidRequest, message: 'the message is not an object' });
    }
    const traced = withTrace(message, traceFrom(headers));
    const connectionId = headers.get(connectionHeader);
    if (connectionId === null) {
      if (methodOf(message) !== 'initialize') return refuse(400, `${connectionHeader} is missing`);
      // The only message that is answered in the response.
      if (!acceptsType(headers.get('Accept'), jsonType)) return refuse(406, `accept ${jsonType}`);
      return this.#open(request, traced, body.length);
    }
    const connection = this.#connections.get(connectionId);
    if (connection === undefined) return unknownConnection();
    const sessionId = headers.get(sessionHeader) ?? undefined;
    switch (await connection.post(traced, body.length, sessionId)) {
      case undefined:
        return new Response(null, { status: 202, headers: echoOf(headers) });
      case 'no-session':
        return refuse(400, `${sessionHeader} is missing`);
      case 'other-session':
        return refuse(400, `${sessionHeader} and the message name different sessions`);
      case 'busy':
        return refuse(503, 'too many messages wait for the agent', { 'Retry-After': '1' });
      case 'gone':
      case 'taken':
      case 'unknown-session':
        return unknownConnection();
    }
  }

  async #open(request: Request, message: unknown, bytes: number): Promise<Response> {
    const id = isObject(message) ? message['id'] : undefined;
    if (!isRequestId(id) || id === null) {
      return refuseMessage(400, { code: rpcCodes.invalidRequest, message: '"initialize" needs an id' });
    }
    if (this.connections >= this.#limits.connections) {
      return refuse(503, 'too many connections', { 'Retry-After': '5' });
    }
    const connection = new RemoteConnection({
      id: this.#createId(),
      limits: this.#limits,
      clock: this.#clock,
      onEnd: () => this.#connections.delete(connection.id),
    });
    this.#connections.set(connection.id, connection);
    try {
      return await this.#introduce(connection, request, message, bytes);
    } catch (error) {
      void connection.end({ code: 'failed', message: 'the client was not accepted', error });
      return refuseMessage(503, { id, ...toRpcWords(error) });
    }
  }

  async #introduce(
    connection: RemoteConnection,
    request: Request,
    message: unknown,
    bytes: number,
  ): Promise<Response> {
    const endWaiting = (why: string): void => void connection.end({ code: 'failed', message: why });
    const onAbort = (): void => endWaiting('the client did not wait for the answer to initialize');
    const { initializeMs } = this.#limits;
    const stopTimer = this.#clock.after(initializeMs, () =>
      endWaiting(`initialize was not answered in ${initializeMs} ms`),
    );
    request.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const opened = connection.open(message, bytes);
      const accepted = this.#options.accept(connection, { connectionId: connection.id, request });
      const answer = await Promise.race([opened, Promise.resolve(accepted).then(() => opened)]);
      if (answer === undefined) return refuse(502, 'the agent has gone');
      if ('error' in answer.message) endWaiting('initialize was answered with an error');
      return new Response(answer.text, {
        headers: {
          'Content-Type': jsonType,
          ...('error' in answer.message ? {} : { [connectionHeader]: connection.id }),
          ...echoOf(request.headers),
        },
      });
    } finally {
      stopTimer();
      request.signal.removeEventListener('abort', onAbort);
    }
  }

  #get({ headers }: Request): Response {
    if (headers.get('Upgrade')?.toLowerCase() === 'websocket') {
      return refuse(426, 'this address cannot be upgraded here', { Upgrade: 'websocket' });
    }
    if (headers.get('Accept')?.toLowerCase().includes(eventStreamType) !== true) {
      return refuse(406, `accept ${eventStreamType}`);
    }
    const connectionId = headers.get(connectionHeader);
    if (connectionId === null) return refuse(400, `${connectionHeader} is missing`);
    const connection = this.#connections.get(connectionId);
    if (connection === undefined) return unknownConnection();
    const body = connection.openStream(headers.get(sessionHeader) ?? undefined);
    switch (body) {
      case 'taken':
        return refuse(409, 'this stream is already being read');
      case 'unknown-session':
        return refuse(404, `unknown ${sessionHeader}`);
      case 'busy':
        return refuse(429, 'too many session streams');
      case 'gone':
      case 'no-session':
      case 'other-session':
        return unknownConnection();
    }
    return new Response(body, {
      headers: {
        'Content-Type': eventStreamType,
        'Cache-Control': 'no-cache, no-transform',
        'X-Accel-Buffering': 'no',
        ...echoOf(headers),
      },
    });
  }

  #delete({ headers }: Request): Response {
    const connectionId = headers.get(connectionHeader);
    if (connectionId === null) return refuse(400, `${connectionHeader} is missing`);
    const connection = this.#connections.get(connectionId);
    if (connection === undefined) return unknownConnection();
    void connection.end({ code: 'end-of-input', message: 'the client ended the connection' });
    return new Response(null, { status: 202, headers: echoOf(headers) });
  }

  #acceptSocket(socket: WebSocketLike, client: RemoteClient): void {
    const { maxMessageBytes } = this.#limits;
    const trace = traceFrom(client.request.headers);
    const inner = webSocketTransport(socket, { maxMessageBytes, clock: this.#clock });
    const transport = watchTransport(inner, {
      map: (message) => withTrace(message, trace),
      onEnd: () => this.#sockets.delete(end),
    });
    const end = (reason: CloseReason): Promise<void> => transport.end(reason);
    this.#sockets.add(end);
    const accepting = async (): Promise<void> => this.#options.accept(transport, client);
    accepting().catch((error: unknown) =>
      transport.close({ code: 'failed', message: 'the client was not accepted', error }),
    );
  }

  #createId(): string {
    return this.#options.createId?.() ?? crypto.randomUUID();
  }
}

function parseBody(body: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return value;
  } catch {
    return undefined;
  }
}

function mediaTypeOf(contentType: string | null): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase();
}

/** The trace of a request, by which the caller finds its answer. */
function echoOf(headers: Headers): Record<string, string> {
  const traceparent = headers.get('traceparent');
  return traceparent === null ? {} : { traceparent };
}

function unknownConnection(): Response {
  return refuse(404, `unknown ${connectionHeader}`);
}

function toRpcWords(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  return { code: rpcCodes.internalError, message: 'Internal error' };
}
