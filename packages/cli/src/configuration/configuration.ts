import type { AgentSpec, DelegationLimits } from '@parley/host';
import type { ConfiguredRule } from '@parley/workspace';
import type { ProvidersConfiguration } from './providers-schema.ts';
import type { SandboxFields } from './sandbox-schema.ts';

/** A value of an agent's process that the user fills in; it becomes a variable of that process. */
export interface AgentOption {
  readonly type: 'text' | 'secret';
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The variable; without it the option has no effect on the process. */
  readonly env?: string;
  readonly default?: string;
}

/** An agent of the catalogue. */
export type AgentEntry =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: ReadonlyMap<string, string>;
      /** The names of those variables whose values may be shown; all others are secrets. @default none */
      readonly publicEnv?: ReadonlySet<string>;
      readonly options: readonly AgentOption[];
    }
  | {
      readonly kind: 'remote';
      readonly url: string;
      readonly headers: ReadonlyMap<string, string>;
      /** The variable that holds the key for its server. */
      readonly tokenEnv?: string;
    };

/** How what agents change is covered. */
export interface ChangesConfiguration {
  /** @default true */
  readonly enabled?: boolean;
  readonly maxFileBytes?: number;
  readonly maxBytes?: number;
}

/** The agents that sessions may delegate to. */
export interface TeamConfiguration extends Partial<DelegationLimits> {
  readonly agents: readonly string[];
}

/** What one configuration file says about the sandbox. */
export interface SandboxLayer {
  readonly all: SandboxFields;
  /** What it says about single agents, by their names. */
  readonly agents: ReadonlyMap<string, SandboxFields>;
}

/** What the configuration files say about the sandbox. */
export interface SandboxConfiguration {
  readonly user?: SandboxLayer;
  /** The project's file, which only narrows what the user's says. */
  readonly project?: SandboxLayer;
}

/** What the configuration files say together. */
export interface Configuration {
  readonly defaultAgent: string;
  readonly agents: ReadonlyMap<string, AgentEntry>;
  readonly rules: readonly ConfiguredRule[];
  /** Hosts of MCP servers that clients of `parley serve` may bring along. @default none */
  readonly mcpHosts?: readonly string[];
  /** Where the model providers of agents are reached. @default each agent decides */
  readonly providers?: ProvidersConfiguration;
  /** How what agents change is covered. @default all of it, within the usual bounds */
  readonly changes?: ChangesConfiguration;
  /** The agents that sessions may delegate to. @default none */
  readonly team?: TeamConfiguration;
  /** What agents are held to. @default nothing */
  readonly sandbox?: SandboxConfiguration;
  readonly requestTimeoutMs?: number;
  readonly startTimeoutMs?: number;
  readonly openTimeoutMs?: number;
}

/** An agent, with what the configuration says about its model providers. */
export function withProviders(spec: AgentSpec, { providers }: Pick<Configuration, 'providers'>): AgentSpec {
  const routes = providers?.get(spec.name);
  return routes === undefined ? spec : { ...spec, providers: Object.fromEntries(routes) };
}

/** The name of our own agent, which is always there. */
export const ownAgentName = 'parley';

/** The rules that our own agent holds itself to; it does not know what it is called here. */
export function ownAgentRules(rules: readonly ConfiguredRule[]): readonly ConfiguredRule[] {
  return rules
    .filter(({ agent }) => agent === undefined || agent === ownAgentName)
    .map(({ agent: _agent, ...rule }) => rule);
}

/** The values that are never shown: of variables that are not public, and of options that are secrets. */
export function agentSecrets({
  env,
  publicEnv,
  options,
}: Extract<AgentEntry, { readonly kind: 'command' }>): readonly string[] {
  return [
    ...Array.from(env, ([name, value]) => (publicEnv?.has(name) === true ? '' : value)),
    ...options.flatMap(({ type, default: value = '' }) => (type === 'secret' ? [value] : [])),
  ].filter((value) => value !== '');
}

/** What each request to a remote agent carries. The values are secrets. */
export function remoteHeaders(
  { headers, tokenEnv }: Extract<AgentEntry, { readonly kind: 'remote' }>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const token = tokenEnv === undefined ? '' : (env[tokenEnv] ?? '');
  return { ...Object.fromEntries(headers), ...(token !== '' && { Authorization: `Bearer ${token}` }) };
}
