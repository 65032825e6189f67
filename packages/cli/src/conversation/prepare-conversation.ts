import type { McpServer } from '@parley/acp';
import {
  specSecrets,
  strictestChoice,
  TypedVariables,
  type AgentSpec,
  type SessionWorktree,
} from '@parley/host';
import { ownAgentName, type Configuration } from '../configuration/configuration.ts';
import type { Variables } from '../configuration/places.ts';
import { readConfiguration, type ConfigurationOptions } from '../configuration/read-configuration.ts';
import { choiceFor } from '../configuration/sandbox-settings.ts';
import { checkFolder } from '../input-file.ts';
import type { Surroundings } from '../surroundings.ts';
import type { OpenSessionWorktree } from '../worktrees/session-worktree.ts';
import { findAgent, fullModel } from './agent/agent-source.ts';
import type { ConversationFlags } from './flags.ts';
import { readMcpServers } from './mcp-servers.ts';
import { findTeam, type Team } from './team.ts';

/** Warns the user about a problem that was handled. */
export type Warn = (code: string, message: string) => void;

/** All that is known before the agent is started. */
export interface PreparedConversation {
  readonly flags: ConversationFlags;
  readonly configuration: Configuration;
  readonly spec: AgentSpec;
  /** What the user typed for the agent, and what is hidden of it. */
  readonly variables: TypedVariables;
  readonly mcpServers: readonly McpServer[];
  readonly env: Variables;
  /** The agents that the session may delegate to. @default it may not delegate */
  readonly team?: Team;
  /** The git worktree that the folder of the flags is in. @default it is in none of ours */
  readonly worktree?: SessionWorktree;
}

/** How to ask and to warn the user meanwhile. */
export interface PrepareOptions extends Pick<ConfigurationOptions, 'confirmTrust'> {
  readonly warn: Warn;
  readonly signal: AbortSignal;
  /** The worktree in which the session is to work, in place of the folder of the flags. @default that folder */
  readonly place?: Pick<OpenSessionWorktree, 'cwd' | 'worktree'>;
}

/** Reads the configuration and finds the agent. Nothing has been started when it fails. */
export async function prepareConversation(
  given: ConversationFlags,
  { env }: Surroundings,
  { warn, signal, confirmTrust, place }: PrepareOptions,
): Promise<PreparedConversation> {
  const flags = { ...given, cwd: place?.cwd ?? given.cwd };
  await checkFolder('--cwd', flags.cwd);
  for (const folder of flags.additionalDirectories) await checkFolder('--add-dir', folder);
  const configuration = await readConfiguration({
    cwd: flags.cwd,
    env,
    warn: (message) => {
      warn('configuration', message);
    },
    ...(flags.configFile !== undefined && { file: flags.configFile }),
    ...(confirmTrust !== undefined && { confirmTrust }),
  });
  // No folder of the project is on the path of an agent, also not the one that a worktree came from.
  const folders = [...new Set([flags.cwd, given.cwd, ...flags.additionalDirectories])];
  const model = fullModel(flags.model);
  const options = { env, folders, signal, warn };
  const spec = await findAgent(flags.agent, configuration, {
    ...options,
    ...(model !== undefined && { model }),
    ...(flags.sandbox !== undefined && { sandbox: flags.sandbox }),
  });
  // A delegate is held as its parent is, or stricter.
  const sandbox =
    flags.sandbox ?? strictestChoice([spec.name, ownAgentName].map((name) => choiceFor(configuration, name)));
  const team = await findTeam(flags.team, spec.name, { ...options, configuration, sandbox });
  const mcpServers =
    flags.mcpConfigFile === undefined
      ? []
      : await readMcpServers(flags.mcpConfigFile, { cwd: flags.cwd, env, signal });
  return {
    flags,
    configuration,
    spec,
    variables: new TypedVariables(hiddenValues(spec), { hides: false }),
    mcpServers,
    env,
    ...(team !== undefined && { team }),
    ...(place !== undefined && { worktree: place.worktree }),
  };
}

/**
 * The values that `run` and `chat` redact. A remote agent receives its headers from this command, so text that
 * repeats them is displayed unchanged.
 */
export function hiddenValues(spec: AgentSpec): readonly string[] {
  return spec.reach.by === 'url' ? [] : specSecrets(spec);
}
