import {
  connectAgent,
  detectAgent,
  findEntry,
  openAgent,
  openRemoteAgent,
  prepareLaunch,
  searchPath,
  type AgentConnection,
  type AgentOptions,
  type RemoteAddress,
  type ServedResources,
  type SignIn,
} from '@parley/host';
import { readCatalogue } from '../catalogue/read-catalogue.ts';
import { whatIsMissing } from '../catalogue/what-is-missing.ts';
import { CliError } from '../cli-error.ts';
import {
  agentSecrets,
  agentVariables,
  ownAgentName,
  remoteHeaders,
  type AgentEntry,
  type Configuration,
} from '../configuration/configuration.ts';
import { packagesFolder, type Variables } from '../configuration/places.ts';
import { toConfiguredProgram } from './configured-program.ts';
import type { AgentChoice } from './flags.ts';
import type { OwnAgentOptions } from './own-agent.ts';
import { parseRemote } from './remote.ts';
import { serverKey } from './server-key.ts';

/** How long an agent may take to start when it is fetched first. */
const fetchTimeoutMs = 300_000;

/** Where an agent comes from. */
export type AgentSource =
  | { readonly kind: 'own'; readonly name: string }
  | {
      readonly kind: 'process';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** What is never shown of it. @default nothing */
      readonly secrets?: readonly string[];
      /** How long its start may take, when that is not what agents usually need. */
      readonly startTimeoutMs?: number;
      /** How one signs in, as far as that is known beside what the agent says. */
      readonly signIn?: SignIn;
      /** What it is served where that is not everything. */
      readonly serves?: ServedResources;
    }
  | {
      readonly kind: 'remote';
      readonly name: string;
      readonly url: string;
      /** What each request carries. Their values are secrets. */
      readonly headers: Readonly<Record<string, string>>;
    };

/** What is needed to find an agent. */
export interface FindAgentOptions {
  readonly env: Variables;
  /** A key that was typed together with an address. */
  readonly token?: string;
  /** The folders of the session: programs in them are not looked for. */
  readonly folders: readonly string[];
  /** Gives up installing a package. */
  readonly signal?: AbortSignal;
  readonly warn: (code: string, message: string) => void;
}

/** Finds the agent that was asked for: in the configuration, else in the catalogue. */
export async function findAgent(
  choice: AgentChoice,
  configuration: Configuration,
  options: FindAgentOptions,
): Promise<AgentSource> {
  switch (choice.kind) {
    case 'command':
      return { kind: 'process', name: choice.command, command: choice.command, args: choice.args, env: {} };
    case 'remote':
      return toTypedRemote(choice.address, options);
    case 'name':
      return findByName(choice.name, configuration, options);
    case 'default':
      return findByName(configuration.defaultAgent, configuration, options);
  }
}

async function findByName(
  name: string,
  { agents }: Configuration,
  options: FindAgentOptions,
): Promise<AgentSource> {
  if (name === ownAgentName) return { kind: 'own', name };
  const entry = agents.get(name);
  if (entry === undefined) return findInCatalogue(name, options);
  if (entry.kind === 'remote') return toConfiguredRemote(name, entry, options);
  const { env, folders } = options;
  const search = await searchPath(env, [process.cwd(), ...folders]);
  const command = await toConfiguredProgram(entry.command, { label: `agent "${name}"`, env, search });
  const secrets = agentSecrets(entry);
  return { kind: 'process', name, command, args: entry.args, env: agentVariables(entry), secrets };
}

/** Finds a remote agent, by its address or by its name in the configuration; undefined where the name means no such one. */
export function findRemoteAgent(
  typed: RemoteAddress | string,
  { agents }: Configuration,
  options: RemoteOptions,
): RemoteSource | undefined {
  if (typeof typed !== 'string') return toTypedRemote(typed, options);
  const entry = agents.get(typed);
  return entry?.kind === 'remote' ? toConfiguredRemote(typed, entry, options) : undefined;
}

type RemoteSource = Extract<AgentSource, { readonly kind: 'remote' }>;

type RemoteOptions = Pick<FindAgentOptions, 'env' | 'token' | 'warn'>;

function toConfiguredRemote(
  name: string,
  entry: Extract<AgentEntry, { readonly kind: 'remote' }>,
  { env, warn }: RemoteOptions,
): RemoteSource {
  const address = parseRemote(`agent "${name}"`, entry.url);
  const headers = remoteHeaders(entry, env);
  if (!address.isPrivate && Object.keys(headers).length > 0) {
    warn('unencrypted', `what is sent to "${name}" is not encrypted, its headers neither`);
  }
  return { kind: 'remote', name, url: address.url, headers };
}

/** Agents of the configuration have headers of their own; an address has the key that is for it. */
function toTypedRemote(address: RemoteAddress, { env, token, warn }: RemoteOptions): RemoteSource {
  const key = serverKey(address, {
    env,
    warn: (message) => {
      warn('key', message);
    },
    ...(token !== undefined && { typed: token }),
  });
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  return { kind: 'remote', name: address.name, url: address.url, headers };
}

async function findInCatalogue(
  name: string,
  { env, folders, signal, warn }: FindAgentOptions,
): Promise<AgentSource> {
  const entry = findEntry(await readCatalogue(env, warn), name);
  if (entry === undefined) {
    throw new CliError('usage', `there is no agent "${name}"; "parley agents" lists those there are`);
  }
  const search = await searchPath(env, [process.cwd(), ...folders]);
  const presence = await detectAgent(entry, search.env);
  const launch = await prepareLaunch(entry, presence, {
    search,
    packageFolder: packagesFolder(env),
    onInstall: (specifier) => {
      warn('package', `${entry.name} is not installed: installing ${specifier} …`);
    },
    ...(signal !== undefined && { signal }),
  });
  if (launch === undefined) {
    throw new CliError('usage', `${entry.name} cannot be started: ${whatIsMissing(entry, presence)}`);
  }
  const { fetches, ...known } = launch;
  const source = { kind: 'process', name, ...known } as const;
  if (fetches === undefined) return source;
  warn(
    'package',
    `${entry.name} is not installed: starting the package ${fetches}, which is fetched if need be`,
  );
  return { ...source, startTimeoutMs: fetchTimeoutMs };
}

/** The agent with further variables in the environment of its process. */
export function withVariables(source: AgentSource, env: Readonly<Record<string, string>>): AgentSource {
  return source.kind === 'process' ? { ...source, env: { ...source.env, ...env } } : source;
}

/** What the configuration gives the process of an agent and is never shown, whatever the agent says. */
export function secretsOf(source: AgentSource): readonly string[] {
  return source.kind === 'process' ? (source.secrets ?? []) : [];
}

/** The variables of the agent, and whatever else its recording has to keep out where its name says so. */
export function variablesOf(source: AgentSource, env: Variables): Variables {
  switch (source.kind) {
    case 'own':
      return env;
    case 'process':
      return { ...env, ...source.env };
    case 'remote':
      return { ...env, ...source.headers, ...credentialsIn(source.headers) };
  }
}

/** What stands behind the scheme of a header, by the name of the header: `Bearer x` holds `x`. */
export function credentialsIn(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const credentials = /^\S+\s+(\S.*)$/su.exec(value)?.[1];
      return credentials === undefined ? [] : [[`${name} credentials`, credentials]];
    }),
  );
}

/**
 * Starts the agent. Ours runs in this process: that is faster than a second one, and it ends with this one
 * whatever happens.
 */
export async function openSource(
  source: AgentSource,
  own: OwnAgentOptions,
  options: AgentOptions & { readonly cwd: string },
): Promise<AgentConnection> {
  // What the person configured counts more than what is known of the agent.
  if (source.kind === 'process') {
    const { secrets: _secrets, ...launch } = source;
    return openAgent({ ...launch, ...options, serves: { ...launch.serves, ...options.serves } });
  }
  if (source.kind === 'remote') return openRemoteAgent({ ...source, ...options });
  const { connectOwnAgent } = await import('./own-agent.ts');
  return connectAgent({
    ...options,
    name: source.name,
    transport: connectOwnAgent(own),
    // No editor stands behind this command, so nothing would be gained by the detour. And what an agent does through
    // the client without asking is judged by the client's rules: what the modes of our agent allow would be refused.
    serves: { files: false, terminals: false },
  });
}
