import { connect, memoryPair, RpcError, type Connection, type RequestContext } from '@parley/wire';
import { onTestFinished } from 'vitest';
import { connectAgent, type AgentConnection, type AgentOptions, type HostEvent } from '../src/index.ts';
import { approve } from './harness.ts';

/** Responses by method; other methods are answered with -32601. */
export type Answers = Readonly<Record<string, (params: unknown, context: RequestContext) => unknown>>;

/** An agent in this process that only follows JSON-RPC, with a host connected to it. */
export interface RawAgent {
  readonly connection: AgentConnection;
  readonly events: readonly HostEvent[];
  /** The agent's end: sends the client any request and notification. */
  readonly agent: Connection;
  /** All messages from the client, in order. */
  readonly received: readonly { readonly method: string; readonly params: unknown }[];
  /** Settles when the client has sent that method, now or later. */
  heard(method: string): Promise<void>;
}

/** Connects a host to an agent in this process. It answers `initialize` with the capabilities, unless an option says otherwise. */
export async function connectRaw(
  answers: Answers,
  { capabilities = {}, ...options }: Partial<AgentOptions> & { readonly capabilities?: object } = {},
): Promise<RawAgent> {
  const [left, right] = memoryPair();
  const events: HostEvent[] = [];
  const received: { method: string; params: unknown }[] = [];
  const listeners = new Set<() => void>();
  const take = (method: string, params: unknown): void => {
    received.push({ method, params });
    for (const listener of listeners) listener();
  };
  const known: Answers = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: capabilities }),
    'session/new': () => ({ sessionId: 'session-1' }),
    ...answers,
  };
  const agent = connect(right, {
    laneOf: () => undefined,
    onRequest: (method, params, context) => {
      take(method, params);
      const answer = known[method];
      if (answer === undefined) throw new RpcError(-32601, `no ${method}`);
      return answer(params, context);
    },
    onNotification: take,
  });
  const connection = await connectAgent({
    transport: left,
    name: 'raw',
    clientInfo: { name: 'test', version: '1.0.0' },
    policy: approve('reads'),
    ...options,
    onEvent: (event) => {
      events.push(event);
      return options.onEvent?.(event);
    },
  });
  onTestFinished(async () => {
    await connection.end();
    await agent.close();
  });
  return {
    connection,
    events,
    agent,
    received,
    heard: (method) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!received.some((call) => call.method === method)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
  };
}
