import { matchesHost, openNetworkProxy, targetText, type NetworkProxy } from '@parley/workspace';
import type { Sandbox } from '@parley/workspace/sandbox';
import type { AgentOptions } from '../agent/agent-options.ts';
import { openAgentNetwork } from '../network/agent-network.ts';
import { loadEngines, openAgentSandbox, type HeldAgent } from './open-agent-sandbox.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

/** Opens the sandbox of an agent, and its way to the hosts of the settings. @throws {HostError} `not-held` */
export async function holdAgent(
  settings: SandboxSettings,
  agent: HeldAgent,
): Promise<Required<Pick<AgentOptions, 'sandbox'>> & Pick<AgentOptions, 'network'>> {
  const { network: hosts } = settings;
  if (typeof hosts === 'string') return { sandbox: await openAgentSandbox(settings, agent) };
  const [network] = await Promise.all([openAgentNetwork(hosts), loadEngines()]);
  try {
    const { socketPath } = network;
    return { sandbox: await openAgentSandbox(settings, { ...agent, socketPath }), network };
  } catch (error) {
    await network.close();
    throw error;
  }
}

/** The sandbox of a command that runs for no session: no user is asked about further hosts. */
export interface HeldAlone extends AsyncDisposable {
  readonly sandbox: Sandbox;
}

/** Opens the sandbox of such a command. @throws {HostError} `not-held` */
export async function holdAlone(settings: SandboxSettings, agent: HeldAgent): Promise<HeldAlone> {
  const { network: hosts } = settings;
  const proxy = typeof hosts === 'string' ? undefined : await openListProxy(hosts);
  try {
    const place = proxy === undefined ? agent : { ...agent, socketPath: proxy.socketPath };
    const sandbox = await openAgentSandbox(settings, place);
    return {
      sandbox,
      [Symbol.asyncDispose]: async () => {
        await sandbox.close();
        await proxy?.close();
      },
    };
  } catch (error) {
    await proxy?.close();
    throw error;
  }
}

function openListProxy(hosts: readonly string[]): Promise<NetworkProxy> {
  return openNetworkProxy({
    allow: ({ target }) =>
      hosts.some((pattern) => matchesHost(pattern, targetText(target), 'usual-ports') === true)
        ? { isAllowed: true }
        : { isAllowed: false, reason: 'it is not a host of the sandbox' },
  });
}
