import { connect, memoryPair, type Connection, type RequestContext } from '@parley/wire';
import { onTestFinished } from 'vitest';
import type { Hub, Scope } from '../../src/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Options of a plain ACP client, with its answers to requests. */
export interface PlainClientOptions {
  /** @default 'editor' */
  readonly name?: string;
  /** Its token. @default 'ada' */
  readonly token?: string;
  /** @default 'admin' */
  readonly scope?: Scope;
  readonly agent?: string;
  /** @default none */
  readonly capabilities?: object;
  /** Delays the handling of notifications until it resolves. @default they are handled at once */
  readonly reads?: Promise<void>;
  /** Answers requests. @default they wait until they are cancelled */
  readonly onRequest?: (method: string, params: Fields, context: RequestContext) => unknown;
}

/** A client of plain ACP in a test, and what it received. */
export class PlainClient {
  readonly connection: Connection;
  /** The updates of all sessions, in order. */
  readonly updates: Fields[] = [];
  /** All other notifications. */
  readonly notices: { readonly method: string; readonly params: Fields }[] = [];
  /** All requests from the hub, in order. */
  readonly asked: { readonly method: string; readonly params: Fields }[] = [];
  /** How many requests to it were cancelled. */
  cancelled = 0;
  initialized: Fields = {};

  private constructor(hub: Hub, options: PlainClientOptions) {
    const { token = 'ada', scope = 'admin', agent, reads, onRequest } = options;
    const [near, far] = memoryPair();
    void hub.connect(far, {
      principal: { id: `token:${token}`, name: token, scope },
      ...(agent !== undefined && { agent }),
    });
    this.connection = connect(near, {
      onNotification: async (method, params) => {
        await reads;
        const fields = toFields(params);
        if (method === 'session/update') this.updates.push(fields);
        else this.notices.push({ method, params: fields });
      },
      onRequest: async (method, params, context) => {
        this.asked.push({ method, params: toFields(params) });
        context.signal.addEventListener('abort', () => {
          this.cancelled += 1;
        });
        if (onRequest !== undefined) return onRequest(method, toFields(params), context);
        return new Promise(() => {});
      },
    });
    onTestFinished(() => this.connection.close());
  }

  static async join(hub: Hub, options: PlainClientOptions = {}): Promise<PlainClient> {
    const client = new PlainClient(hub, options);
    const { name = 'editor', capabilities = {} } = options;
    client.initialized = toFields(
      await client.ask('initialize', {
        protocolVersion: 1,
        clientInfo: { name, version: '1' },
        clientCapabilities: capabilities,
      }),
    );
    return client;
  }

  ask(method: string, params: object): Promise<unknown> {
    return this.connection.request(method, params);
  }

  async begin(cwd: string, more: object = {}): Promise<string> {
    const opened = await this.ask('session/new', { cwd, mcpServers: [], ...more });
    return String(toFields(opened)['sessionId']);
  }

  load(sessionId: string, cwd: string): Promise<unknown> {
    return this.ask('session/load', { sessionId, cwd, mcpServers: [] });
  }

  prompt(sessionId: string, text: string, more: object = {}): Promise<unknown> {
    return this.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text }], ...more });
  }

  /** All messages, each chunk as `role: text`. */
  get said(): readonly string[] {
    return this.updates.flatMap(({ update }) => {
      const { sessionUpdate, content } = toFields(update);
      const isChunk = typeof sessionUpdate === 'string' && sessionUpdate.endsWith('_message_chunk');
      if (!isChunk) return [];
      return [`${sessionUpdate.replace('_message_chunk', '')}: ${String(toFields(content)['text'])}`];
    });
  }
}

export function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
