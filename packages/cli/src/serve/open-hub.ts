import { hostname } from 'node:os';
import { createHub, type ApplicationSessions, type Hub } from '@parley/gateway';
import {
  specVariables,
  type AuditLog,
  type HostEvent,
  type Replicas,
  type SharedEventLogs,
} from '@parley/host';
import { shareCheckpoints } from '@parley/workspace/checkpoint';
import { changesSettings } from '../configuration/changes-settings.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { readConfiguration } from '../configuration/read-configuration.ts';
import { sandboxFor } from '../conversation/agent/sandbox-for.ts';
import { hubModels } from '../models/hub-models.ts';
import { createFollowers } from '../permissions/audit-followers.ts';
import { createRedactor, writeSession } from '../sessions/export.ts';
import { readVersion } from '../version.ts';
import type { ServeFlags } from './flags.ts';
import { hubWorktrees } from './hub-worktrees.ts';
import { logAgentEvent } from './log-agent-event.ts';
import { logFault } from './log-fault.ts';
import { withFlag, type OpenAgents } from './open-agents.ts';
import type { HubStore } from './open-hub-store.ts';
import type { ServerOptions } from './server-options.ts';

/** What a hub is opened with besides the flags. */
export interface OpenHubOptions extends ServerOptions {
  readonly agents: OpenAgents;
  readonly applications: ApplicationSessions;
  readonly eventLogs: SharedEventLogs;
  readonly places: HubStore['places'];
  /** The processes that share the event logs. @default this one alone */
  readonly replicas?: Replicas;
  /** Where decisions about permissions are recorded. */
  readonly audit: AuditLog;
  /** A turn begins; what is returned is called when it ends. */
  readonly onTurn: (agent: string, sessionId: string) => (stopReason: string) => void;
}

/** The hub of the web interface: the same agents, rules, answers and event logs as in `parley chat`. */
export function openHub(
  flags: ServeFlags,
  { surroundings, log, agents, eventLogs, audit, applications, places, onTurn, replicas }: OpenHubOptions,
): Hub {
  const { env } = surroundings;
  const { store } = eventLogs;
  const { startTimeoutMs, openTimeoutMs, requestTimeoutMs } = agents.configuration;
  /** Turns that run, by session: one at a time. */
  const turns = new Map<string, (stopReason: string) => void>();
  const recordDecision = createFollowers(audit, { client: 'hub' });
  const takeTurn = (event: HostEvent, agent: string, sessionId: string): void => {
    if (event.type === 'turn-start') {
      turns.set(sessionId, onTurn(agent, sessionId));
    } else if (event.type === 'turn-end') {
      turns.get(sessionId)?.('error' in event ? 'error' : event.stopReason);
      turns.delete(sessionId);
    }
  };
  const configurationIn = (cwd: string): Promise<Configuration> =>
    readConfiguration({
      cwd,
      env,
      warn: (message) => {
        log.warn(message, { cwd });
      },
      ...(flags.configFile !== undefined && { file: flags.configFile }),
    });
  const openShared = shareCheckpoints();
  return createHub({
    agents: agents.listed,
    catalogue: agents,
    defaultAgent: agents.defaultName,
    workspaces: flags.workspaces,
    worktrees: hubWorktrees(env, store),
    models: hubModels(env),
    eventLogs,
    answersFile: places.answers,
    marksFile: places.marks,
    ...(agents.configuration.mcpHosts !== undefined && { mcpHosts: agents.configuration.mcpHosts }),
    policyFor: async (cwd) => {
      const { rules } = await configurationIn(cwd);
      return { approve: { level: 'ask', given: false }, rules };
    },
    changesIn: async (cwd) =>
      changesSettings(await configurationIn(cwd), env, {
        folder: cwd,
        open: openShared,
        ...(flags.database !== undefined && { machine: hostname() }),
      }),
    sandboxFor: async (wish) => sandboxFor(await configurationIn(wish.cwd), env, withFlag(wish, flags)),
    teamIn: async (cwd) => (await configurationIn(cwd)).team,
    pool: agents.pool,
    applications,
    ...(replicas !== undefined && {
      replicas: {
        replicas,
        workspaces: flags.namedWorkspaces,
        slots: flags.maxAgents,
        taken: () => agents.pool.taken - agents.pool.idle,
      },
    }),
    redactFrames: (spec) => createRedactor({ ...env, ...specVariables(spec) }),
    exportSession: async (key, format) => {
      const head = await store.head(key);
      return head === undefined ? '' : (await writeSession(store, head, { format, env })).text;
    },
    info: { name: 'parley', title: 'Parley', version: readVersion() },
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(openTimeoutMs !== undefined && { openTimeoutMs }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    onEvent: (event, { agent, sessionId }) => {
      takeTurn(event, agent, sessionId);
      recordDecision(event, agent, sessionId);
      logAgentEvent(log, event, { agent, sessionId });
    },
    onFault: (error) => {
      logFault(log, error);
    },
    onDropped: ({ client, person }, reason) => {
      log.warn('a client was disconnected', { client: client?.name, token: person, reason });
    },
  });
}
