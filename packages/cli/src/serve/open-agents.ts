import { hostname } from 'node:os';
import { invalidParams } from '@parley/acp';
import {
  createBridgedAgent,
  createToolEndpoints,
  type BridgedAgent,
  type HubCatalogue,
  type InstallAgentOptions,
  type ListedAgent,
  type ToolEndpoints,
} from '@parley/gateway';
import {
  createLimitedPool,
  prepareLaunch,
  searchPath,
  type AuditLog,
  type LimitedPool,
  type SandboxWish,
  type SharedEventLogs,
} from '@parley/host';
import type { NewAgent, RouteProviderParams } from '@parley/host/hub';
import { shareCheckpoints } from '@parley/workspace/checkpoint';
import { writeAgent } from '../agents/add-agent.ts';
import { findKnownAgents, type KnownAgents } from '../agents/known-agent.ts';
import { removeFromConfiguration } from '../agents/remove-agent.ts';
import { writeProvider } from '../agents/write-provider.ts';
import { CliError } from '../cli-error.ts';
import { changesSettings } from '../configuration/changes-settings.ts';
import { ownAgentName, type Configuration } from '../configuration/configuration.ts';
import { packagesFolder, userFile } from '../configuration/places.ts';
import { sandboxFor } from '../conversation/agent/sandbox-for.ts';
import { createFollowers } from '../permissions/audit-followers.ts';
import { readVersion } from '../version.ts';
import type { ServeFlags } from './flags.ts';
import { toHubAgents } from './hub-agents.ts';
import { logAgentEvent } from './log-agent-event.ts';
import { toOfferedAgents, type OfferedAgent } from './offered-agents.ts';
import { AgentProbes, probeMs, type ProbedAgent } from './probe-agents.ts';
import type { ServerOptions } from './server-options.ts';

/** Sessions that may wait for an agent process. */
const waitingSessions = 1000;

/** How long an agent may be idle before its process is stopped. */
const idleAgentMs = 15 * 60_000;

/** What agents are opened with besides the flags. */
export interface OpenAgentsOptions extends ServerOptions {
  /** Where decisions about permissions are recorded. */
  readonly audit: AuditLog;
  readonly eventLogs: SharedEventLogs;
  /** Called with what an agent offers, once it has shown it. */
  readonly onProbed: (name: string, probed: ProbedAgent) => void;
}

/** The agents that are served: those found at the start, and those that are installed or added while the server runs. */
export class OpenAgents implements HubCatalogue {
  readonly pool: LimitedPool;
  /** The agents as applications reach them; the list changes in place. */
  readonly bridged: BridgedAgent[] = [];
  readonly #flags: ServeFlags;
  readonly #options: OpenAgentsOptions;
  readonly #toolEndpoints: ToolEndpoints = createToolEndpoints();
  readonly #recordDecision: ReturnType<typeof createFollowers>;
  readonly #probes: AgentProbes;
  readonly #openShared = shareCheckpoints();
  /** Warnings that were logged: they are not repeated each time agents are looked for. */
  readonly #warned = new Set<string>();
  /** What each bridge was made of. */
  readonly #made = new Map<BridgedAgent, string>();
  #known: KnownAgents;
  #offered: readonly OfferedAgent[] = [];

  private constructor(flags: ServeFlags, options: OpenAgentsOptions, known: KnownAgents) {
    this.#flags = flags;
    this.#options = options;
    this.#known = known;
    this.#recordDecision = createFollowers(options.audit, { client: 'aap' });
    this.pool = createLimitedPool({ places: flags.maxAgents, waiting: waitingSessions, idleMs: idleAgentMs });
    this.#probes = new AgentProbes(options);
  }

  /** Finds the agents, and begins to probe each in the background. */
  static async open(flags: ServeFlags, options: OpenAgentsOptions): Promise<OpenAgents> {
    const warned = new Set<string>();
    const known = await findKnown(flags, options, warned);
    const agents = new OpenAgents(flags, options, known);
    for (const message of warned) agents.#warned.add(message);
    await agents.#offer(known);
    return agents;
  }

  /** The configuration of where the server was started. */
  get configuration(): Configuration {
    return this.#known.configuration;
  }

  /** The name of the one that is meant where none is named: ours, where the configured one is not to be had. */
  get defaultName(): string {
    const { defaultAgent } = this.configuration;
    return this.#offered.some(({ spec }) => spec.name === defaultAgent) ? defaultAgent : ownAgentName;
  }

  /** The agents as the hub lists them. */
  get listed(): readonly ListedAgent[] {
    return toHubAgents(this.#known.agents, this.#offered, versionsOf(this.bridged));
  }

  /** Settles when the agents have shown what they offer, or have taken long enough. */
  get probed(): Promise<void> {
    return this.#probes.settled;
  }

  async find(): Promise<readonly ListedAgent[]> {
    await this.#offer(await findKnown(this.#flags, this.#options, this.#warned));
    return this.listed;
  }

  async install(name: string, { onProgress, signal }: InstallAgentOptions): Promise<void> {
    const agent = this.#known.agents.find((known) => known.name === name);
    if (agent?.kind !== 'catalogue') throw invalidParams('agent', 'an agent of the catalogue');
    const { log, surroundings } = this.#options;
    log.info('installing an agent', { agent: name, package: agent.entry.distribution.npx?.package });
    const search = await searchPath(surroundings.env, this.#folders);
    const packageFolder = packagesFolder(surroundings.env);
    await prepareLaunch(agent.entry, agent.presence, { search, packageFolder, onProgress, signal });
    log.info('installed an agent', { agent: name });
  }

  async add({ name, ...agent }: NewAgent): Promise<void> {
    const known = this.#known.agents.find((other) => other.name === name);
    if (known?.kind === 'configured') throw invalidParams('name', `a name that is free; "${name}" is in use`);
    await asRefusal(writeAgent(this.#file, name, agent));
    this.#options.log.info('added an agent', { agent: name, file: this.#file });
  }

  async remove(name: string): Promise<void> {
    const left = await asRefusal(removeFromConfiguration(this.#file, name));
    if (left === undefined) throw invalidParams('agent', `an agent of ${this.#file}`);
    this.#options.log.info('removed an agent', { agent: name, file: this.#file });
  }

  async routeProvider(params: RouteProviderParams): Promise<void> {
    await asRefusal(writeProvider(this.#file, params));
    const { agent, providerId: provider } = params;
    this.#options.log.info('changed a model provider', { agent, provider, file: this.#file });
  }

  /** Ends all their processes. */
  async close(): Promise<void> {
    await this.#probes.close();
    await Promise.all(Array.from(this.#made.keys(), (agent) => agent.close()));
    await this.#toolEndpoints.close();
  }

  get #folders(): readonly string[] {
    return [this.#options.surroundings.cwd, ...this.#flags.workspaces];
  }

  /** The configuration that is read here, and that agents are added to. */
  get #file(): string {
    return this.#flags.configFile ?? userFile(this.#options.surroundings.env);
  }

  /** Serves the agents that there are now: those that are as before keep their bridges, and with them what they run. */
  async #offer(known: KnownAgents): Promise<void> {
    const { env } = this.#options.surroundings;
    const offered = await toOfferedAgents(known, { env, folders: this.#folders });
    const before = new Map(this.bridged.map((agent) => [agent.info.name, agent]));
    const fresh: BridgedAgent[] = [];
    const bridged = offered.map((offer) => {
      const made = JSON.stringify(offer);
      const bridge = before.get(offer.spec.name);
      if (bridge !== undefined && (this.#made.get(bridge) === made || bridge.processes > 0)) return bridge;
      const created = this.#bridge(offer, known.configuration);
      this.#made.set(created, made);
      fresh.push(created);
      return created;
    });
    this.#known = known;
    this.#offered = offered;
    this.bridged.splice(0, this.bridged.length, ...bridged);
    this.#probes.begin(fresh);
  }

  #bridge(
    { spec, title, description, askMode, options }: OfferedAgent,
    configuration: Configuration,
  ): BridgedAgent {
    const { log, surroundings, eventLogs } = this.#options;
    return createBridgedAgent({
      spec,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(askMode !== undefined && { askMode }),
      options,
      clientInfo: { name: 'parley', title: 'Parley', version: readVersion() },
      workspaces: this.#flags.workspaces,
      rules: configuration.rules.filter(({ agent }) => agent === undefined || agent === spec.name),
      pool: this.pool,
      changesIn: (folder) =>
        changesSettings(configuration, surroundings.env, {
          folder,
          open: this.#openShared,
          ...(this.#flags.database !== undefined && { machine: hostname() }),
        }),
      sandboxFor: (wish) => sandboxFor(configuration, surroundings.env, withFlag(wish, this.#flags)),
      toolEndpoints: this.#toolEndpoints,
      probeMs,
      eventLogs,
      ...(configuration.startTimeoutMs !== undefined && { startTimeoutMs: configuration.startTimeoutMs }),
      ...(configuration.openTimeoutMs !== undefined && { openTimeoutMs: configuration.openTimeoutMs }),
      onEvent: (event, sessionId) => {
        this.#recordDecision(event, spec.name, sessionId);
        logAgentEvent(log, event, { agent: spec.name, sessionId });
      },
    });
  }
}

/** The sandbox of a session, where no client chose one. */
export function withFlag(wish: SandboxWish, { sandbox }: Pick<ServeFlags, 'sandbox'>): SandboxWish {
  return sandbox === undefined ? wish : { choice: sandbox, ...wish };
}

/** Looks for all agents. A warning is logged once. */
function findKnown(
  { configFile, workspaces }: ServeFlags,
  { surroundings, log }: ServerOptions,
  warned: Set<string>,
): Promise<KnownAgents> {
  const file = configFile === undefined ? {} : { configFile };
  return findKnownAgents({ ...surroundings, ...file, folders: workspaces }, (message) => {
    if (warned.has(message)) return;
    warned.add(message);
    log.warn(message);
  });
}

/** What is wrong with an agent that a client adds is the client's to correct. */
async function asRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CliError) throw invalidParams('agent', error.message);
    throw error;
  }
}

/** AAP wants a version of each agent, and has this one for those that report none. */
const noVersion = '0.0.0';

function versionsOf(bridged: readonly BridgedAgent[]): ReadonlyMap<string, string> {
  return new Map(
    bridged.flatMap(({ info }) => (info.version === noVersion ? [] : [[info.name, info.version] as const])),
  );
}
