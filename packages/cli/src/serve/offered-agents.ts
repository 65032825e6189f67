import type { VariableOption } from '@parley/gateway';
import { prepareLaunch, searchPath, type AgentSpec, type SearchPath } from '@parley/host';
import { isHere, type KnownAgent, type KnownAgents } from '../agents/known-agent.ts';
import { remoteHeaders, withProviders, type AgentEntry } from '../configuration/configuration.ts';
import { packagesFolder, type Variables } from '../configuration/places.ts';
import { configuredSpec } from '../conversation/agent/configured-spec.ts';
import { ownAgentProcess } from '../conversation/agent/held-own-agent.ts';

/** An agent that is served, and how it starts. */
export interface OfferedAgent {
  readonly spec: AgentSpec;
  readonly title?: string;
  readonly description?: string;
  /** The mode in which it asks before it changes anything. */
  readonly askMode?: string;
  readonly options: readonly VariableOption[];
}

/** The agents that are served: ours, all that are configured, and those of the catalogue that are installed here. */
export async function toOfferedAgents(
  { agents, configuration }: KnownAgents,
  { env, folders }: { readonly env: Variables; readonly folders: readonly string[] },
): Promise<readonly OfferedAgent[]> {
  const search = await searchPath(env, folders);
  const packageFolder = packagesFolder(env);
  const offered = agents.map(async (agent): Promise<OfferedAgent | undefined> => {
    switch (agent.kind) {
      case 'own':
        return { spec: ownAgentProcess(), ...notesOf(agent), options: [] };
      case 'configured':
        return fromConfiguration(agent.name, agent.agent, { env, search });
      case 'catalogue': {
        // What would have to be fetched first was not asked for by name.
        if (!isHere(agent.presence)) return undefined;
        const spec = await prepareLaunch(agent.entry, agent.presence, { search, packageFolder });
        if (spec === undefined) return undefined;
        return { spec: { ...spec, name: agent.name }, ...notesOf(agent), options: [] };
      }
    }
  });
  return (await Promise.all(offered)).flatMap((agent) =>
    agent === undefined ? [] : [{ ...agent, spec: withProviders(agent.spec, configuration) }],
  );
}

async function fromConfiguration(
  name: string,
  entry: AgentEntry,
  { env, search }: { readonly env: Variables; readonly search: SearchPath },
): Promise<OfferedAgent> {
  switch (entry.kind) {
    case 'command': {
      const spec = await configuredSpec(name, entry, { env, search });
      return { spec, options: entry.options.flatMap(toVariableOption) };
    }
    case 'remote': {
      const headers = remoteHeaders(entry, env);
      return { spec: { name, reach: { by: 'url', url: entry.url, headers } }, options: [] };
    }
  }
}

/** Without a variable, an option would change nothing. */
function toVariableOption({
  env,
  default: value = '',
  ...option
}: Extract<AgentEntry, { readonly kind: 'command' }>['options'][number]): readonly VariableOption[] {
  return env === undefined ? [] : [{ ...option, env, default: value }];
}

function notesOf({
  entry,
}: Extract<KnownAgent, { readonly kind: 'own' | 'catalogue' }>): Pick<
  OfferedAgent,
  'title' | 'description' | 'askMode'
> {
  if (entry === undefined) return {};
  const { name, description, running } = entry;
  return { title: name, description, ...(running.askMode !== undefined && { askMode: running.askMode }) };
}
