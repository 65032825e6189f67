import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { streamTransport } from '@parley/wire/node';
import { serveAgent } from '../../src/node/serve-agent.ts';
import type { ServeAgentOptions } from '../../src/node/serve-agent.ts';
import { temporaryFolder } from '../served.ts';

/** A line of the agent. */
export interface WireMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The params of a `session/update`. */
export interface WireUpdate {
  readonly sessionId: string;
  readonly update: Readonly<Record<string, unknown>>;
}

/** A client's response: a result, an error, or none. */
export type Reply = { readonly result: unknown } | { readonly error: unknown } | undefined;

/** The options of the agent, and the responses of the peer. */
export interface PeerOptions extends Omit<ServeAgentOptions, 'transport' | 'log'> {
  /** @default allows permission questions once, knows nothing else */
  readonly onRequest?: (message: WireMessage) => Reply;
  /** The state of the conversation when the test starts. @default a session */
  readonly begin?: 'nothing' | 'initialized' | 'session';
  readonly clientCapabilities?: object;
  /** Whether sessions are stored. @default false */
  readonly keepsSessions?: boolean;
}

/** The agent as `parley agent` serves it, and a client that only reads and writes lines. */
export interface Peer extends AsyncDisposable {
  readonly directory: string;
  readonly sessionId: string;
  /** All that the agent wrote, in order. */
  readonly messages: readonly WireMessage[];
  updates(kind?: string): readonly WireUpdate[];
  /** The requests of the agent, by their method. */
  requests(method: string): readonly WireMessage[];
  write(line: string): void;
  notify(method: string, params: object): void;
  /** Sends a request of this session; gives the whole answer. */
  ask(method: string, params?: unknown): Promise<WireMessage>;
  prompt(text: string, sessionId?: string): Promise<WireMessage>;
  /** Settles with the first message that passes, also one that came before. */
  message(passes: (message: WireMessage) => boolean): Promise<WireMessage>;
  /** Ends the agent's input, and waits until it has ended. */
  endInput(): Promise<void>;
}

/** Opens the agent with a client on raw lines. */
export async function openPeer(options: PeerOptions = {}): Promise<Peer> {
  const { onRequest = allowOnce, begin = 'session', clientCapabilities = {}, ...more } = options;
  const { keepsSessions = false, ...served } = more;
  const root = await temporaryFolder();
  const directory = join(root, 'work');
  await mkdir(directory);
  const kept = keepsSessions ? { stateDirectory: join(root, 'state') } : {};
  const [toAgent, fromAgent] = [new PassThrough(), new PassThrough()];
  const transport = streamTransport({ input: toAgent, output: fromAgent });
  const agent = serveAgent({ variables: {}, ...kept, ...served, transport, log: () => undefined });
  const messages: WireMessage[] = [];
  const watchers = new Set<(message: WireMessage) => void>();
  const write = (line: string): void => void toAgent.write(`${line}\n`);
  const lines = createInterface({ input: fromAgent });
  lines.on('line', (line) => {
    const message: WireMessage = JSON.parse(line);
    messages.push(message);
    for (const watcher of watchers) watcher(message);
    if (message.method === undefined || message.id === undefined) return;
    const reply = onRequest(message);
    if (reply !== undefined) write(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...reply }));
  });
  const message = (passes: (message: WireMessage) => boolean): Promise<WireMessage> =>
    new Promise((resolve) => {
      const before = messages.find(passes);
      if (before !== undefined) return resolve(before);
      const watcher = (next: WireMessage): void => {
        if (!passes(next)) return;
        watchers.delete(watcher);
        resolve(next);
      };
      watchers.add(watcher);
    });
  const endInput = async (): Promise<void> => {
    toAgent.end();
    await agent.closed;
  };
  let count = 0;
  let sessionId = '';
  const ask = (method: string, params: unknown = {}): Promise<WireMessage> => {
    const id = `ask-${++count}`;
    write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return message((each) => each.method === undefined && each.id === id);
  };
  if (begin !== 'nothing') await ask('initialize', { protocolVersion: 1, clientCapabilities });
  if (begin === 'session') {
    const { result } = await ask('session/new', { cwd: directory, mcpServers: [] });
    sessionId = idIn(result);
  }
  return {
    directory,
    sessionId,
    messages,
    updates: (kind) =>
      messages
        .flatMap((each) => (each.method === 'session/update' ? [each.params as WireUpdate] : []))
        .filter(({ update }) => kind === undefined || update['sessionUpdate'] === kind),
    requests: (method) => messages.filter((each) => each.method === method && each.id !== undefined),
    write,
    notify: (method, params) => write(JSON.stringify({ jsonrpc: '2.0', method, params })),
    ask,
    prompt: (text, session = sessionId) =>
      ask('session/prompt', { sessionId: session, prompt: [{ type: 'text', text }] }),
    message,
    endInput,
    [Symbol.asyncDispose]: async () => {
      await endInput();
      fromAgent.end();
      if (!fromAgent.readableEnded) await once(lines, 'close');
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The id in a result. */
export function idIn(result: unknown): string {
  const { sessionId } = result as { readonly sessionId: string };
  return sessionId;
}

function allowOnce({ method }: WireMessage): Reply {
  return method === 'session/request_permission'
    ? { result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } }
    : { error: { code: -32601, message: 'Method not found' } };
}
