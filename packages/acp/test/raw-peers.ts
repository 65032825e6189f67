import {
  connect,
  memoryPair,
  RpcError,
  type Connection,
  type Diagnostic,
  type RequestContext,
  type Transport,
} from '@parley/wire';
import { onTestFinished } from 'vitest';
import type { AcpDiagnostic, SideConnectOptions } from '../src/index.ts';

/** A call as it came over the wire. */
export interface Call {
  readonly method: string;
  readonly params: unknown;
}

/** How a raw peer answers requests, by method. What is missing is answered -32601. */
export type Answers = Readonly<Record<string, (params: unknown, context: RequestContext) => unknown>>;

/** The raw end of a connection: it keeps to JSON-RPC, and to nothing else. */
export interface RawPeer {
  readonly connection: Connection;
  /** All requests and notifications that came, in order. */
  readonly received: readonly Call[];
  /** What the side under test reported. */
  readonly diagnostics: readonly (Diagnostic | AcpDiagnostic)[];
}

/** An agent or a client of either entry. */
interface Side<Connected> {
  connect(transport: Transport, options?: SideConnectOptions): Connected;
}

/** An agent under test, and a client that sends what the test writes. */
export function openRawClient<Connected>(
  agent: Side<Connected>,
  answers: Answers = {},
  options: SideConnectOptions = {},
): RawPeer & { readonly agent: Connected } {
  const [left, right] = memoryPair();
  const diagnostics: (Diagnostic | AcpDiagnostic)[] = [];
  const connection = agent.connect(left, {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  const raw = openRaw(right, answers);
  onTestFinished(() => raw.connection.close());
  return { ...raw, diagnostics, agent: connection };
}

/** A client under test, and an agent that sends what the test writes. */
export function openRawAgent<Connected>(
  client: Side<Connected>,
  answers: Answers = {},
  options: SideConnectOptions = {},
): RawPeer & { readonly client: Connected } {
  const [left, right] = memoryPair();
  const diagnostics: (Diagnostic | AcpDiagnostic)[] = [];
  const connection = client.connect(left, {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  const raw = openRaw(right, {
    initialize: () => ({ protocolVersion: 1 }),
    'session/new': () => ({ sessionId: 's1' }),
    ...answers,
  });
  onTestFinished(() => raw.connection.close());
  return { ...raw, diagnostics, client: connection };
}

function openRaw(transport: Transport, answers: Answers): Pick<RawPeer, 'connection' | 'received'> {
  const received: Call[] = [];
  const connection = connect(transport, {
    onRequest: (method, params, context) => {
      received.push({ method, params });
      const answer = answers[method];
      if (answer === undefined) throw new RpcError(-32601, `no ${method}`);
      return answer(params, context);
    },
    onNotification: (method, params) => {
      received.push({ method, params });
    },
  });
  return { connection, received };
}

/** A promise to be settled from outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Makes a promise to be settled from outside. */
export function createDeferred<T = void>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => {};
  let reject: Deferred<T>['reject'] = () => {};
  const promise = new Promise<T>((onResult, onError) => {
    resolve = onResult;
    reject = onError;
  });
  return { promise, resolve, reject };
}

/** A value that is not what its place asks for, as a careless author might come by it. */
export function careless(json: string): never {
  return JSON.parse(json) as never;
}
