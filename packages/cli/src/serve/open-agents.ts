import { createBridgedAgent, createToolEndpoints, type BridgedAgent } from '@parley/gateway';
import { createLimitedPool, type AuditLog, type LimitedPool, type SharedEventLogs } from '@parley/host';
import { findKnownAgents, type KnownAgent } from '../agents/known-agent.ts';
import { changesSettings } from '../configuration/changes-settings.ts';
import { ownAgentName, type Configuration } from '../configuration/configuration.ts';
import { readVersion } from '../version.ts';
import { createFollowers } from './audit-followers.ts';
import type { ServeFlags } from './flags.ts';
import { logAgentEvent } from './log-agent-event.ts';
import { toOfferedAgents, type OfferedAgent } from './offered-agents.ts';
import { probeAgents, probeMs } from './probe-agents.ts';
import type { ServerOptions } from './server-options.ts';

/** Sessions that may wait for an agent process. */
const waitingSessions = 1000;

/** How long an agent may be idle before its process is stopped. */
const idleAgentMs = 15 * 60_000;

/** The agents that are served. */
export interface OpenAgents {
  /** All that can be named, also those that would have to be installed first. */
  readonly known: readonly KnownAgent[];
  /** The configuration of where the server was started. */
  readonly configuration: Configuration;
  readonly offered: readonly OfferedAgent[];
  /** The name of the one that is meant where none is named: ours, where the configured one is not to be had. */
  readonly defaultName: string;
  readonly bridged: readonly BridgedAgent[];
  readonly pool: LimitedPool;
  /** Ends all their processes. */
  close(): Promise<void>;
}

/** What agents are opened with besides the flags. */
export interface OpenAgentsOptions extends ServerOptions {
  /** Where decisions about permissions are recorded. */
  readonly audit: AuditLog;
  readonly eventLogs: SharedEventLogs;
}

/** Finds the agents that are to be served, and looks at each; it waits for that no longer than ten seconds. */
export async function openAgents(
  flags: ServeFlags,
  { surroundings, log, signal, audit, eventLogs }: OpenAgentsOptions,
): Promise<OpenAgents> {
  const { env, cwd } = surroundings;
  const folders = flags.workspaces;
  const file = flags.configFile === undefined ? {} : { configFile: flags.configFile };
  const { agents, configuration } = await findKnownAgents(
    { ...surroundings, ...file, folders },
    (message) => {
      log.warn(message);
    },
  );
  const offered = await toOfferedAgents(agents, { env, folders: [cwd, ...folders] });
  const pool = createLimitedPool({ places: flags.maxAgents, waiting: waitingSessions, idleMs: idleAgentMs });
  const toolEndpoints = createToolEndpoints();
  const recordDecision = createFollowers(audit, 'aap');
  const bridged = offered.map(({ spec, title, description, askMode, options }) =>
    createBridgedAgent({
      spec,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(askMode !== undefined && { askMode }),
      options,
      clientInfo: { name: 'parley', title: 'Parley', version: readVersion() },
      workspaces: flags.workspaces,
      rules: configuration.rules.filter(({ agent }) => agent === undefined || agent === spec.name),
      pool,
      changesIn: (folder) => changesSettings(configuration, env, folder),
      toolEndpoints,
      probeMs,
      eventLogs,
      ...(configuration.startTimeoutMs !== undefined && { startTimeoutMs: configuration.startTimeoutMs }),
      ...(configuration.openTimeoutMs !== undefined && { openTimeoutMs: configuration.openTimeoutMs }),
      onEvent: (event, sessionId) => {
        recordDecision(event, spec.name, sessionId);
        logAgentEvent(log, event, { agent: spec.name, sessionId });
      },
    }),
  );
  const endLooks = await probeAgents(bridged, { log, signal });
  signal.throwIfAborted();
  return {
    known: agents,
    configuration,
    offered,
    defaultName:
      offered.find(({ spec }) => spec.name === configuration.defaultAgent)?.spec.name ?? ownAgentName,
    bridged,
    pool,
    close: async () => {
      await endLooks();
      await Promise.all(bridged.map((agent) => agent.close()));
      await toolEndpoints.close();
    },
  };
}
