import type { AgentSpec, SearchPath } from '@parley/host';
import { agentSecrets, type AgentEntry, type AgentOption } from '../../configuration/configuration.ts';
import type { Variables } from '../../configuration/places.ts';
import { toConfiguredProgram } from './configured-program.ts';

/** The spec of an agent that the configuration starts by a command, without the variables of its options. */
export async function configuredSpec(
  name: string,
  entry: Extract<AgentEntry, { readonly kind: 'command' }>,
  { env, search }: { readonly env: Variables; readonly search: SearchPath },
): Promise<AgentSpec> {
  const { args, publicEnv } = entry;
  const command = await toConfiguredProgram(entry.command, { label: `agent "${name}"`, env, search });
  return {
    name,
    reach: { by: 'command', command, args },
    env: Object.fromEntries(entry.env),
    ...(publicEnv !== undefined && { publicEnv }),
    secrets: agentSecrets(entry),
  };
}

/** The spec with the defaults of options as variables. What the configuration sets itself stays as it is. */
export function withOptionDefaults(spec: AgentSpec, options: readonly AgentOption[]): AgentSpec {
  const { env = {}, publicEnv = [] } = spec;
  const given = options.flatMap(({ type, env: name, default: value = '' }) =>
    // An empty default leaves the variable as the environment has it.
    name === undefined || value === '' || name in env ? [] : [{ type, name, value }],
  );
  return {
    ...spec,
    env: { ...Object.fromEntries(given.map(({ name, value }) => [name, value] as const)), ...env },
    publicEnv: new Set([...publicEnv, ...given.flatMap(({ type, name }) => (type === 'text' ? [name] : []))]),
  };
}
