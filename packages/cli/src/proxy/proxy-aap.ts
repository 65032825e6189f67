import { setTimeout as delay } from 'node:timers/promises';
import { AapError, createAapClient, type AapClient, type ReceivedAgentInfo } from '@parley/aap';
import { openMcpTools } from '@parley/agent';
import { createNodeEnvironment } from '@parley/agent/node';
import { createAapAgent } from '@parley/gateway';
import { parseRemoteAddress, type RemoteAddress } from '@parley/host';
import { streamTransport } from '@parley/wire/node';
import { CliError } from '../cli-error.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { serverKey } from '../conversation/agent/server-key.ts';
import { recordProcesses } from '../conversation/record-processes.ts';
import { exitStatus } from '../exit-status.ts';
import type { Surroundings } from '../surroundings.ts';
import { refuseClient } from './refuse-client.ts';

/** What was typed. */
export interface AapProxyFlags {
  readonly aap: string;
  readonly agent?: string;
  readonly token?: string;
  readonly config?: string;
}

/** How long turns may take to be cancelled on the server after the input has ended. */
const endMs = 3000;

/** How long the server may take to return its agents, unless the configuration sets another limit. */
const defaultStartTimeoutMs = 60_000;

/** `parley proxy --aap`: an agent behind AAP on standard input and output. Gives the exit status. */
export async function proxyAap(flags: AapProxyFlags, surroundings: Surroundings): Promise<number> {
  const { stdin, stdout, stderr, env, cwd } = surroundings;
  const warn = (message: string): void => void stderr.write(`parley proxy: ${message}\n`);
  let prepared: Prepared;
  try {
    prepared = await prepare(flags, surroundings, warn);
  } catch (error) {
    await refuseClient(error, surroundings);
    if (!(error instanceof AapError) || (error.status !== 401 && error.status !== 403)) throw error;
    warn(
      `${error.message}; set PARLEY_TOKEN to a key for the server, and PARLEY_URL to its address, ` +
        'in the env of the entry that starts this command',
    );
    return exitStatus.authenticationNeeded;
  }
  // What the servers of the editor start ends with this command, however it ends.
  await recordProcesses(env, (_code, message) => {
    warn(message);
  });
  const environment = createNodeEnvironment();
  const { client, info, openTimeoutMs } = prepared;
  const agent = createAapAgent(client, info, {
    directory: cwd,
    ...(openTimeoutMs !== undefined && { openTimeoutMs }),
    bringTools: (servers, options) => openMcpTools(servers, { ...options, environment }),
    onWarning: warn,
  });
  const connection = agent.connect(streamTransport({ input: stdin, output: stdout }), {
    onDiagnostic: ({ message }) => warn(message),
  });
  // As if the client had closed it.
  const endInput = (): void => void stdin.destroy();
  for (const signal of endSignals) process.on(signal, endInput);
  const { code, message } = await connection.closed;
  await Promise.race([Promise.all([agent.idle(), agent.close()]), delay(endMs, undefined, { ref: false })]);
  for (const signal of endSignals) process.off(signal, endInput);
  if (code === 'end-of-input') return exitStatus.done;
  warn(message);
  return exitStatus.failed;
}

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** An agent that was found. */
interface Prepared {
  readonly client: AapClient;
  readonly info: ReceivedAgentInfo;
  readonly openTimeoutMs?: number;
}

async function prepare(
  { aap, agent: name, token, config }: AapProxyFlags,
  { env, cwd }: Surroundings,
  warn: (message: string) => void,
): Promise<Prepared> {
  const address = toBaseAddress(aap);
  if (token !== undefined) {
    warn('other users of this machine can see the key of --token; use PARLEY_TOKEN instead');
  }
  const apiKey = serverKey(address, { env, warn, ...(token !== undefined && { typed: token }) });
  const { startTimeoutMs = defaultStartTimeoutMs, openTimeoutMs } = await readConfiguration({
    cwd,
    env,
    warn,
    ...(config !== undefined && { file: config }),
  });
  const client = createAapClient({ baseUrl: address.url, ...(apiKey !== undefined && { apiKey }) });
  const info = await findAgent(client, name, startTimeoutMs);
  return { client, info, ...(openTimeoutMs !== undefined && { openTimeoutMs }) };
}

function toBaseAddress(text: string): RemoteAddress {
  const address = parseRemoteAddress(text);
  if (address?.via === 'http') return address;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw new CliError('usage', '--aap: the address must not contain a key; set PARLEY_TOKEN');
  }
  throw new CliError('usage', '--aap: expected an address with http:// or https://');
}

async function findAgent(
  client: AapClient,
  name: string | undefined,
  timeoutMs: number,
): Promise<ReceivedAgentInfo> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { agents } = await client.getMeta({ signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new Error(`the server did not return its agents within ${String(timeoutMs / 1000)} s (GET /meta)`);
  });
  const [first, ...others] = name === undefined ? agents : agents.filter((agent) => agent.name === name);
  if (first !== undefined && others.length === 0) return first;
  const names = agents.map((agent) => agent.name).join(', ');
  throw new CliError(
    'usage',
    name === undefined
      ? `--agent: the server has ${names || 'no agent'}`
      : `--agent: not one of ${names || 'none'}`,
  );
}
