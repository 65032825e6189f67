import type { ProviderInfo } from '@parley/acp/unstable';
import { HostError } from '../../host-error.ts';
import type { AgentConnection } from '../agent-connection.ts';
import { requestUnstable, type UnstableRequestOptions } from './unstable-request.ts';

/** How an agent reaches a model provider, as the user configures it. */
export type ProviderRoute =
  | 'disabled'
  | {
      /** The API at this address, by its name in ACP: `anthropic`, `openai`, … */
      readonly apiType: string;
      readonly baseUrl: string;
      /** Sent with each request. The values are secrets. @default none */
      readonly headers?: Readonly<Record<string, string>>;
    };

/** The routes of an agent's model providers, by their ids. */
export type ProviderRoutes = Readonly<Record<string, ProviderRoute>>;

/** Model providers of an agent that are shown. */
const mostProviders = 100;

/** Lists the model providers of an agent; undefined if it does not offer that, or did not answer. Never rejects. */
export async function readProviders(
  agent: AgentConnection,
  options?: UnstableRequestOptions,
): Promise<readonly ProviderInfo[] | undefined> {
  try {
    const { providers } = await requestUnstable(agent, 'providers/list', {}, options);
    return providers.slice(0, mostProviders);
  } catch {
    // An agent may declare a method of the unstable protocol and not have it.
    return undefined;
  }
}

/**
 * Configures the model providers of an agent, before its first session. What the user did not configure is not sent.
 *
 * @throws {HostError} `start-failed`: the agent does not accept a route.
 */
export async function setProviders(
  agent: Pick<AgentConnection, 'agent' | 'capabilities' | 'name'>,
  routes: ProviderRoutes,
  options?: UnstableRequestOptions,
): Promise<void> {
  for (const [providerId, route] of Object.entries(routes)) {
    try {
      // One after the other: an agent may accept one only after another.
      if (route === 'disabled') await requestUnstable(agent, 'providers/disable', { providerId }, options);
      else await requestUnstable(agent, 'providers/set', { providerId, ...route }, options);
    } catch (error) {
      options?.signal?.throwIfAborted();
      const what = `start ${JSON.stringify(agent.name)}: it did not accept the provider ${JSON.stringify(providerId)}`;
      const reason = error instanceof Error ? error.message : String(error);
      const advice = 'Check "providers" in your configuration';
      throw new HostError('start-failed', `${what}: ${reason}. ${advice}`, { cause: error });
    }
  }
}
