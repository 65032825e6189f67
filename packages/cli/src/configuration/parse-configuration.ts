import type { Rule } from '@parley/workspace/rule';
import { isObject, pathText, type Fault } from '@parley/workspace/schema';
import { CliError } from '../cli-error.ts';
import {
  configurationSchema,
  rulesSchema,
  type CommandFields,
  type ConfigurationFields,
  type RemoteFields,
} from './configuration-schema.ts';
import type { AgentEntry, ChangesConfiguration, SandboxLayer, TeamConfiguration } from './configuration.ts';
import { toProviders, type ProvidersConfiguration } from './providers-schema.ts';
import { parseJson, readAs } from './read-json.ts';

/** What one configuration file says. */
export interface ConfigurationFile {
  readonly file: string;
  readonly defaultAgent?: string;
  readonly agents: ReadonlyMap<string, AgentEntry>;
  readonly rules: readonly Rule[];
  readonly mcpHosts?: readonly string[];
  readonly providers?: ProvidersConfiguration;
  readonly changes?: ChangesConfiguration;
  readonly team?: TeamConfiguration;
  readonly sandbox?: SandboxLayer;
  readonly requestTimeoutMs?: number;
  readonly startTimeoutMs?: number;
  readonly openTimeoutMs?: number;
  /** Fields that mean nothing here: a typing error, or of a newer version. */
  readonly warnings: readonly string[];
}

/** Reads the text of a configuration file. */
export async function parseConfiguration(text: string, file: string): Promise<ConfigurationFile> {
  const root = readAs(configurationSchema, await parseJson(text, file), file);
  const { value, unknown, warnings } = root;
  const { defaultAgent, agents, permissions, limits = {}, changes, team, serve, providers } = value;
  const { requestSeconds, startSeconds, openSeconds } = limits;
  const sandbox = toSandboxLayer(value);
  return {
    file,
    agents: new Map(
      Array.from(agents ?? []).flatMap(([name, agent]) =>
        'command' in agent || 'url' in agent ? [[name, toAgentEntry(agent)]] : [],
      ),
    ),
    rules: withoutIgnored(permissions?.rules ?? [], 'permissions.rules', unknown),
    warnings,
    ...(changes !== undefined && { changes }),
    ...(team !== undefined && { team: 'agents' in team ? team : { agents: team } }),
    ...(sandbox !== undefined && { sandbox }),
    ...(defaultAgent !== undefined && { defaultAgent }),
    ...(providers !== undefined && { providers: toProviders(providers) }),
    ...(serve?.mcpHosts !== undefined && { mcpHosts: serve.mcpHosts }),
    ...(requestSeconds !== undefined && { requestTimeoutMs: requestSeconds * 1000 }),
    ...(startSeconds !== undefined && { startTimeoutMs: startSeconds * 1000 }),
    ...(openSeconds !== undefined && { openTimeoutMs: openSeconds * 1000 }),
  };
}

/** Reads rules alone: those of a configuration, or a bare list of them. */
export async function parseRules(
  text: string,
  file: string,
): Promise<Pick<ConfigurationFile, 'rules' | 'warnings'>> {
  const root = await parseJson(text, file);
  if (Array.isArray(root)) {
    const { value, unknown, warnings } = readAs(rulesSchema, root, file);
    return { rules: withoutIgnored(value, '', unknown), warnings };
  }
  const permissions = isObject(root) ? root['permissions'] : undefined;
  if (isObject(permissions) && permissions['rules'] !== undefined) return parseConfiguration(text, file);
  throw new CliError(
    'configuration',
    `${file}: expected a list of rules, or a configuration with "permissions": {"rules": […]}`,
  );
}

/** What a file says about the sandbox; undefined where it says nothing. */
function toSandboxLayer({ sandbox, agents = new Map() }: ConfigurationFields): SandboxLayer | undefined {
  const own = new Map(
    Array.from(agents).flatMap(([name, agent]) =>
      agent.sandbox === undefined ? [] : [[name, agent.sandbox] as const],
    ),
  );
  if (sandbox === undefined && own.size === 0) return undefined;
  return { all: sandbox ?? {}, agents: own };
}

function toAgentEntry({ sandbox: _layer, ...agent }: CommandFields | RemoteFields): AgentEntry {
  if ('url' in agent) return { kind: 'remote', headers: new Map(), ...agent };
  const { command, args = [], env = [], options = [] } = agent;
  const variables = Array.from(env, ([name, variable]) => ({
    name,
    value: typeof variable === 'string' ? variable : variable.value,
    isPublic: typeof variable !== 'string' && variable.public === true,
  }));
  const publicNames = variables.flatMap(({ name, isPublic }) => (isPublic ? [name] : []));
  return {
    kind: 'command',
    command,
    args,
    env: new Map(variables.map(({ name, value }) => [name, value])),
    ...(publicNames.length > 0 && { publicEnv: new Set(publicNames) }),
    options,
  };
}

/** Without the rules that allow something under a condition that is unknown here: without it they may allow more. */
function withoutIgnored(rules: readonly Rule[], place: string, unknown: readonly Fault[]): readonly Rule[] {
  const places = new Set(unknown.map(({ path }) => pathText(path.slice(0, -1))));
  return rules.filter(
    ({ decision }, index) => decision !== 'allow' || !places.has(`${place}[${String(index)}]`),
  );
}
