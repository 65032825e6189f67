import type { SandboxSettings, SandboxWish } from '@parley/host';
import { ownAgentName, type Configuration } from '../../configuration/configuration.ts';
import type { Variables } from '../../configuration/places.ts';
import { sandboxSettings } from '../../configuration/sandbox-settings.ts';

/** How the agent of a session is held; undefined where it is not. */
export async function sandboxFor(
  configuration: Pick<Configuration, 'sandbox' | 'rules'>,
  env: Variables,
  wish: SandboxWish,
): Promise<SandboxSettings | undefined> {
  if (wish.spec.name !== ownAgentName) return sandboxSettings(configuration, env, wish);
  // Loaded for our own agent, as it contains parts of it: other agents are started without.
  const { ownAgentSandbox } = await import('./held-own-agent.ts');
  return ownAgentSandbox(configuration, env, wish);
}
