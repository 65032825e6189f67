import { openRemote, proxyAgent, type OpenRemoteOptions } from '@parley/host';
import { streamTransport } from '@parley/wire/node';
import { CliError } from '../cli-error.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { findRemoteAgent } from '../conversation/agent/agent-source.ts';
import { isAddress, parseRemote } from '../conversation/agent/remote.ts';
import { howToAuthorize } from '../conversation/outcome.ts';
import { exitStatus } from '../exit-status.ts';
import { findHub } from '../hub/find-hub.ts';
import type { Surroundings } from '../surroundings.ts';
import { refuseClient } from './refuse-client.ts';

/** What was typed besides the agent. */
export interface AcpProxyFlags {
  readonly config?: string;
  readonly token?: string;
}

/** How long the agent may take for its answer to `initialize`, and to open a session, unless the configuration says so. */
const defaultLimits = { startTimeoutMs: 60_000, openTimeoutMs: 120_000 };

/** `parley proxy [URL|NAME]`: a remote agent of ACP, or the hub, on standard input and output. Gives the exit status. */
export async function proxyAcp(
  agent: string | undefined,
  flags: AcpProxyFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { stdin, stdout, stderr } = surroundings;
  const warn = (message: string): void => void stderr.write(`parley proxy: ${message}\n`);
  const { reach, limits } = await prepare(agent, flags, surroundings, warn).catch(async (error: unknown) => {
    await refuseClient(error, surroundings);
    throw error;
  });
  const { startTimeoutMs } = limits;
  const proxy = proxyAgent({
    client: streamTransport({ input: stdin, output: stdout }),
    open: async (signal) => openRemote({ ...(await reach()), openTimeoutMs: startTimeoutMs, signal }),
    isHub: agent === undefined,
    ...limits,
    report: warn,
  });
  const end = (): void => void proxy.end();
  for (const signal of endSignals) process.on(signal, end);
  const { by, message, httpStatus } = await proxy.ended;
  for (const signal of endSignals) process.off(signal, end);
  if (by === 'client') return exitStatus.done;
  warn(httpStatus === undefined ? message : `${message}; ${howToAuthorize}`);
  return httpStatus === undefined ? exitStatus.failed : exitStatus.authenticationNeeded;
}

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

interface Prepared {
  /** Asked for each connection: a hub that was restarted has another token. */
  readonly reach: () => Promise<Pick<OpenRemoteOptions, 'url' | 'headers' | 'acceptsAnyCertificate'>>;
  readonly limits: typeof defaultLimits;
}

async function prepare(
  agent: string | undefined,
  { config, token }: AcpProxyFlags,
  { env, cwd }: Surroundings,
  warn: (message: string) => void,
): Promise<Prepared> {
  if (token !== undefined) {
    warn('other users of this machine can see the key of --token; use PARLEY_TOKEN instead');
  }
  if (token !== undefined && agent !== undefined && !isAddress(agent)) {
    throw new CliError(
      'usage',
      `--token requires an address; the configuration sets what "${agent}" is sent`,
    );
  }
  const configuration = await readConfiguration({
    cwd,
    env,
    warn,
    ...(config !== undefined && { file: config }),
  });
  const { startTimeoutMs = defaultLimits.startTimeoutMs, openTimeoutMs = defaultLimits.openTimeoutMs } =
    configuration;
  const limits = { startTimeoutMs, openTimeoutMs };
  if (agent === undefined) {
    const reach = async (): ReturnType<Prepared['reach']> => {
      const hub = await findHub(token === undefined ? {} : { token }, { env, warn });
      return { url: hub.socketUrl, headers: hub.headers, ...(hub.isOwn && { acceptsAnyCertificate: true }) };
    };
    // That there is no hub is said before the first message.
    await reach();
    return { reach, limits };
  }
  const spec = findRemoteAgent(isAddress(agent) ? parseRemote('proxy', agent) : agent, configuration, {
    env,
    ...(token !== undefined && { token }),
    warn: (_code, message) => {
      warn(message);
    },
  });
  if (spec === undefined) {
    throw new CliError(
      'usage',
      `proxy: the agent "${agent}" is not remote: the configuration has no "url" for it; an editor can start others itself`,
    );
  }
  const { url, headers = {} } = spec.reach;
  return { reach: () => Promise.resolve({ url, headers }), limits };
}
