import type { AgentAccess, VariableOption } from '@parley/gateway';
import { openRemote, prepareLaunch, searchPath, type SearchPath } from '@parley/host';
import type { KnownAgent } from '../agents/known-agent.ts';
import { type AgentEntry, agentSecrets, remoteHeaders } from '../configuration/configuration.ts';
import { packagesFolder, type Variables } from '../configuration/places.ts';
import { credentialsIn } from '../conversation/agent-source.ts';
import { toConfiguredProgram } from '../conversation/configured-program.ts';

/** An agent that is served, and how it starts. */
export interface OfferedAgent {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The mode in which it asks before it changes anything. */
  readonly askMode?: string;
  readonly access: AgentAccess;
  readonly options: readonly VariableOption[];
  /** What must not be told of: how we show ourselves to it. */
  readonly secrets?: readonly string[];
}

/** The agents that are served: ours, all that are configured, and those of the catalogue that are installed here. */
export async function toOfferedAgents(
  agents: readonly KnownAgent[],
  { env, folders }: { readonly env: Variables; readonly folders: readonly string[] },
): Promise<readonly OfferedAgent[]> {
  const search = await searchPath(env, folders);
  const packageFolder = packagesFolder(env);
  const offered = agents.map(async (agent): Promise<OfferedAgent | undefined> => {
    switch (agent.kind) {
      case 'own': {
        const [command, ...args] = ownCommand();
        return { name: agent.name, ...notesOf(agent), access: { by: 'process', command, args }, options: [] };
      }
      case 'configured':
        return fromConfiguration(agent.name, agent.agent, { env, search });
      case 'catalogue': {
        // What would have to be fetched first, nobody asked for by name.
        if (agent.presence.state !== 'installed') return undefined;
        const launch = await prepareLaunch(agent.entry, agent.presence, { search, packageFolder });
        if (launch === undefined) return undefined;
        const { env: variables } = launch;
        // What the catalogue says, everybody can read.
        const publicEnv = new Set(Object.keys(variables));
        const access: AgentAccess = { by: 'process', ...launch, publicEnv };
        return { name: agent.name, ...notesOf(agent), access, options: [] };
      }
    }
  });
  return (await Promise.all(offered)).filter((agent) => agent !== undefined);
}

async function fromConfiguration(
  name: string,
  entry: AgentEntry,
  { env, search }: { readonly env: Variables; readonly search: SearchPath },
): Promise<OfferedAgent> {
  switch (entry.kind) {
    case 'command': {
      const { args, publicEnv } = entry;
      const command = await toConfiguredProgram(entry.command, { label: `agent "${name}"`, env, search });
      const access: AgentAccess = {
        by: 'process',
        command,
        args,
        env: Object.fromEntries(entry.env),
        ...(publicEnv !== undefined && { publicEnv }),
      };
      return { name, access, secrets: agentSecrets(entry), options: entry.options.flatMap(toVariableOption) };
    }
    case 'remote': {
      const { url } = entry;
      const headers = remoteHeaders(entry, env);
      return {
        name,
        access: { by: 'transport', connect: ({ signal }) => openRemote({ url, headers, signal }) },
        options: [],
        secrets: Object.values({ ...headers, ...credentialsIn(headers) }),
      };
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

/** The command line of our own agent: this very program, started once more. */
function ownCommand(): readonly [string, ...string[]] {
  return [process.execPath, process.argv[1] ?? '', 'agent'];
}
