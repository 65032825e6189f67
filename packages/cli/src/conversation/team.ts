import {
  defaultDelegationLimits,
  findEntry,
  heldToParents,
  type AgentSpec,
  type DelegationLimits,
  type TeamAgent,
} from '@parley/host';
import { ownAgentName, type Configuration } from '../configuration/configuration.ts';
import { findAgent, type FindAgentOptions } from './agent/agent-source.ts';

/** The agents that a session may delegate to. */
export interface Team {
  readonly agents: readonly TeamAgent[];
  /** How they are started, by their names. */
  readonly specs: ReadonlyMap<string, AgentSpec>;
  readonly limits: DelegationLimits;
}

/**
 * Finds the agents of the team, those of the flags or else of the configuration; undefined where there is no team.
 *
 * @param parent The name of the agent that delegates: what the rules deny to it, they deny to its delegates.
 * @throws {CliError} `usage`: there is no such agent, or it cannot be started.
 */
export async function findTeam(
  typed: readonly string[] | undefined,
  parent: string,
  { configuration, ...options }: FindAgentOptions & { readonly configuration: Configuration },
): Promise<Team | undefined> {
  const { agents: configured = [], ...limits } = configuration.team ?? {};
  const names = typed ?? configured;
  if (names.length === 0) return undefined;
  const agents: TeamAgent[] = [];
  const specs = new Map<string, AgentSpec>();
  for (const name of names) {
    const rules = heldToParents(configuration.rules, name, [parent]);
    specs.set(name, await findAgent({ kind: 'name', name }, { ...configuration, rules }, options));
    agents.push({ name, ...(await notesOf(name, configuration, options)) });
  }
  return { agents, specs, limits: { ...defaultDelegationLimits, ...limits } };
}

async function notesOf(
  name: string,
  { agents }: Configuration,
  { env, warn }: FindAgentOptions,
): Promise<Omit<TeamAgent, 'name'>> {
  if (name !== ownAgentName && agents.has(name)) return {};
  const { readCatalogue } = await import('../catalogue/read-catalogue.ts');
  const entry = findEntry(await readCatalogue(env, warn), name);
  if (entry === undefined) return {};
  const { name: title, description, running } = entry;
  return { title, description, ...(running.askMode !== undefined && { askMode: running.askMode }) };
}
