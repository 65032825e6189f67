import {
  detectAgent,
  entryName,
  readAgentVersion,
  searchPath,
  type AgentPresence,
  type CatalogueEntry,
  type SearchVariables,
} from '@parley/host';
import { readCatalogue } from '../catalogue/read-catalogue.ts';
import { ownAgentName, type AgentEntry, type Configuration } from '../configuration/configuration.ts';
import { packagesFolder } from '../configuration/places.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import type { Surroundings } from '../surroundings.ts';
import { readVersion } from '../version.ts';

/** An agent that can be named, and where it comes from. */
export type KnownAgent =
  | { readonly kind: 'own'; readonly name: string; readonly entry?: CatalogueEntry }
  | { readonly kind: 'configured'; readonly name: string; readonly agent: AgentEntry }
  | {
      readonly kind: 'catalogue';
      readonly name: string;
      readonly entry: CatalogueEntry;
      readonly presence: AgentPresence;
    };

/** All agents that can be named here. */
export interface KnownAgents {
  readonly agents: readonly KnownAgent[];
  readonly configuration: Configuration;
}

/** Where agents are looked for, besides the folder of the command. */
export interface KnownAgentsOptions {
  readonly configFile?: string;
  /** Folders of sessions: programs in them are not looked for. */
  readonly folders?: readonly string[];
}

/** Looks for all agents: ours, those of the configuration, and those of the catalogue. Nothing is run. */
export async function findKnownAgents(
  { cwd, env, stderr, configFile, folders = [] }: Surroundings & KnownAgentsOptions,
  warn = (message: string): void => {
    stderr.write(`parley: warning: ${message}\n`);
  },
): Promise<KnownAgents> {
  const file = configFile === undefined ? {} : { file: configFile };
  const configuration = await readConfiguration({ cwd, env, warn, ...file });
  const entries = await readCatalogue(env, (_code, message) => {
    warn(message);
  });
  const search = await searchPath(env, [cwd, ...folders]);
  const own = entries.find(({ id }) => id === ownAgentName);
  const listed = entries.filter(
    (entry) => entry.id !== ownAgentName && !configuration.agents.has(entryName(entry)),
  );
  return {
    configuration,
    agents: [
      { kind: 'own', name: ownAgentName, ...(own !== undefined && { entry: own }) },
      ...Array.from(configuration.agents, ([name, agent]): KnownAgent => ({
        kind: 'configured',
        name,
        agent,
      })),
      ...(await Promise.all(
        listed.map(async (entry): Promise<KnownAgent> => ({
          kind: 'catalogue',
          name: entryName(entry),
          entry,
          presence: await detectAgent(entry, search.env, packagesFolder(env)),
        })),
      )),
    ],
  };
}

/** Whether an agent of the catalogue can be started without fetching anything. */
export function isHere({ state }: AgentPresence): boolean {
  return state === 'installed' || state === 'fetched';
}

/** Agents whose version is read at the same time. */
const questionsAtOnce = 4;

/** The versions of the agents that are installed, by their names; ours is in it too. */
export async function readVersions(
  agents: readonly KnownAgent[],
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
): Promise<ReadonlyMap<string, string>> {
  const search = await searchPath(env, [cwd]);
  const versions = new Map<string, string>();
  const waiting = [...agents];
  const ask = async (): Promise<void> => {
    for (let agent = waiting.shift(); agent !== undefined; agent = waiting.shift()) {
      const version = await versionOf(agent, search.env);
      if (version !== undefined) versions.set(agent.name, version);
    }
  };
  await Promise.all(Array.from({ length: questionsAtOnce }, ask));
  return versions;
}

async function versionOf(agent: KnownAgent, env: SearchVariables): Promise<string | undefined> {
  switch (agent.kind) {
    case 'own':
      return readVersion();
    case 'configured':
      // A command that a user typed need not support --version.
      return undefined;
    case 'catalogue':
      if (agent.presence.state === 'fetched') return agent.entry.version;
      return agent.presence.state === 'installed'
        ? readAgentVersion(agent.entry, agent.presence.command, { env })
        : undefined;
  }
}
