import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { connect, memoryPair } from '@parley/wire';
import type { Connection } from '@parley/wire';
import { expect } from 'vitest';
import { serveAgent } from '../src/node/serve-agent.ts';
import type { ServeAgentOptions } from '../src/node/serve-agent.ts';

/** The agent as `parley agent` serves it, and a bare connection to it. */
export interface Served extends AsyncDisposable {
  readonly connection: Connection;
  readonly sessionId: string;
  readonly initialized: unknown;
  /** The answer to `session/new`. */
  readonly opened: unknown;
  /** All notifications, as JSON. */
  readonly heard: readonly string[];
  readonly log: readonly string[];
  set(params: object): Promise<unknown>;
  setModel(params: object): Promise<unknown>;
  prompt(text: string): Promise<unknown>;
}

/** How it is served. */
export interface ServeOptions extends Omit<ServeAgentOptions, 'transport' | 'log'> {
  /** The `.env` of the session's folder. */
  readonly project?: string;
  /** The folder of the session. @default a new one */
  readonly cwd?: string;
  /** The capabilities of the client. @default none */
  readonly clientCapabilities?: object;
  /** Answers requests of the agent. */
  readonly onRequest?: () => unknown;
}

/** Serves the agent, and opens a session. */
export async function serve({
  project,
  cwd,
  onRequest,
  clientCapabilities = {},
  ...options
}: ServeOptions = {}): Promise<Served> {
  const directory = cwd ?? (await temporaryFolder());
  const heard: string[] = [];
  const log: string[] = [];
  const [transport, client] = memoryPair();
  const agent = serveAgent({
    variables: {},
    ...(project !== undefined && {
      projectVariables: () => Promise.resolve({ variables: parseEnv(project) }),
    }),
    ...options,
    transport,
    log: (line) => log.push(line),
  });
  const connection = connect(client, {
    onNotification: (_, params) => void heard.push(JSON.stringify(params)),
    ...(onRequest !== undefined && { onRequest }),
  });
  const dispose = async (): Promise<void> => {
    await connection.close();
    await agent.closed;
    if (cwd === undefined) await rm(directory, { recursive: true });
  };
  try {
    const initialized = await connection.request('initialize', { protocolVersion: 1, clientCapabilities });
    const opened = await connection.request('session/new', { cwd: directory, mcpServers: [] });
    const sessionId = toSessionId(opened);
    const request = (method: string, params: object): Promise<unknown> =>
      connection.request(method, { sessionId, ...params });
    return {
      connection,
      sessionId,
      initialized,
      opened,
      heard,
      log,
      set: (params) => request('session/set_config_option', params),
      setModel: (params) => request('_agentao.cn/set_model', params),
      prompt: (text) => request('session/prompt', { prompt: [{ type: 'text', text }] }),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A folder of its own. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'parley-agent-')).then((path) => realpath(path));
}

/** The id in the answer to `session/new`. */
export function toSessionId(opened: unknown): string {
  return typeof opened === 'object' && opened !== null && 'sessionId' in opened
    ? String(opened.sessionId)
    : '';
}

/** The model option of an answer that has options. */
export function modelOption(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'configOptions' in result
    ? Array.isArray(result.configOptions) && result.configOptions.find(({ id }) => id === 'model')
    : undefined;
}

/** That the model option shows this model. */
export function showing(model: string): unknown {
  return expect.objectContaining({ currentValue: model });
}
