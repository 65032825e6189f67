import { connectAgent, openAgent, type AgentConnection, type AgentOptions } from '@parley/host';
import { GatewayError } from '../gateway-error.ts';
import type { HubAgentSource } from './hub-options.ts';

/** Where and with what an agent is started. */
export interface StartPlace {
  readonly cwd: string;
  /** Variables that a person typed for it. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts an agent, however it is reached.
 *
 * @throws {HostError} It did not start.
 * @throws {GatewayError} `not-installed`: it is only known of.
 */
export async function startAgent(
  { name, access, startTimeoutMs }: HubAgentSource,
  { cwd, env }: StartPlace,
  options: AgentOptions & { readonly signal: AbortSignal },
): Promise<AgentConnection> {
  const all = { ...options, name, ...(startTimeoutMs !== undefined && { startTimeoutMs }) };
  switch (access?.by) {
    case undefined:
      throw new GatewayError('not-installed', `the agent ${JSON.stringify(name)} is not installed here`);
    case 'process': {
      const { by: _by, ...launch } = access;
      const serves = { ...launch.serves, ...all.serves };
      return openAgent({ ...all, ...launch, serves, env: { ...launch.env, ...env }, cwd });
    }
    case 'transport':
      return connectAgent({ ...all, transport: await access.connect({ env, signal: options.signal }) });
  }
}
