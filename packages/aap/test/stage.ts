import type { AgentInfo } from '@parley/aap';
import {
  createAapServer,
  type AapServer,
  type AapServerOptions,
  type Run,
  type RunEnd,
  type ServedAgent,
} from '@parley/aap/server';
import { EventReader } from '@parley/wire/sse';

/** Two tools that ask, an option of each kind, everything supported. */
export const everything: AgentInfo = {
  name: 'tester',
  version: '1.0.0',
  tools: [
    { name: 'read', description: 'Reads.', parameters: { type: 'object' } },
    { name: 'edit', description: 'Edits.', parameters: { type: 'object' } },
  ],
  options: [
    { type: 'text', name: 'tone', default: 'plain' },
    { type: 'select', name: 'model', options: ['small', 'large'], default: 'small' },
    { type: 'secret', name: 'apiKey', default: '' },
  ],
  capabilities: {
    history: { full: {} },
    stream: { delta: {}, message: {}, none: {} },
    application: { tools: {} },
    image: { data: {}, http: {} },
  },
};

/** A tool of the application. */
export const lookUp = { name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } };

/** What a test sends to, and what it reads with. */
export interface Stage {
  readonly server: AapServer;
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** A new session, with both tools enabled and not trusted, and one tool of the application. */
  create(body?: Readonly<Record<string, unknown>>): Promise<string>;
  /** A whole turn of the mode `delta`. */
  turn(sessionId: string, body: Readonly<Record<string, unknown>>): Promise<readonly TestEvent[]>;
  history(sessionId: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** An event as it came. */
export interface TestEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A server with one agent that does what the test says. */
export function stage(
  run: (run: Run) => Promise<RunEnd | void>,
  { info = everything, ...options }: AapServerOptions & { readonly info?: AgentInfo } = {},
): Stage {
  const agent: ServedAgent = {
    info,
    run: async (each) => (await run(each)) ?? { stopReason: 'end_turn' },
  };
  return stageOf([agent], options);
}

/** A server with these agents. */
export function stageOf(agents: readonly ServedAgent[], options: AapServerOptions = {}): Stage {
  const server = createAapServer(agents, { ...options, limits: { quietMs: 1, ...options.limits } });
  const send: Stage['send'] = (method, path, body, headers = {}) =>
    server.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
  return {
    server,
    send,
    async create(body = {}) {
      const response = await send('POST', '/sessions', {
        agent: { name: 'tester', tools: [{ name: 'read' }, { name: 'edit' }] },
        tools: [lookUp],
        ...body,
      });
      const answer = await json(response);
      return String(answer['sessionId']);
    },
    async turn(sessionId, body) {
      return eventsOf(await send('POST', `/sessions/${sessionId}/turns`, { stream: 'delta', ...body }));
    },
    async history(sessionId) {
      const { history } = await json(await send('GET', `/sessions/${sessionId}/history?type=full`));
      return (history as { readonly full: readonly Readonly<Record<string, unknown>>[] }).full;
    },
  };
}

/** A message of the user, as `messages`. */
export function says(content: unknown): { readonly messages: readonly unknown[] } {
  return { messages: [{ role: 'user', content }] };
}

/** The object in a response. */
export async function json(response: Response): Promise<Readonly<Record<string, unknown>>> {
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

/** All events of a response, to its end. */
export async function eventsOf(response: Response): Promise<readonly TestEvent[]> {
  const reader = new EventReader();
  const events = [...reader.push(new Uint8Array(await response.arrayBuffer())), ...reader.end()];
  return events.map((each) => {
    if (!('data' in each)) throw new TypeError('not an event');
    return { event: each.event, id: each.id, data: JSON.parse(each.data) as TestEvent['data'] };
  });
}

/** Events in short: their names, with what matters of them. */
export function inShort(events: readonly TestEvent[]): readonly string[] {
  return events.map(({ event, data }) => {
    const { delta, text, thinking, toolCallId, content, stopReason } = data;
    const what = delta ?? text ?? thinking ?? stopReason ?? toolCallId;
    const result = event === 'tool_result' ? `=${JSON.stringify(content)}` : '';
    return typeof what !== 'string' || event === 'turn_start' ? event : `${event} ${what}${result}`;
  });
}

/** Reads a stream until a text was seen, and leaves the rest. Returns what was read. */
export async function readUntil(response: Response, text: string): Promise<string> {
  let read = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    read += piece;
    if (read.includes(text)) return read;
  }
  throw new Error(`the stream ended before ${text}: ${read}`);
}
