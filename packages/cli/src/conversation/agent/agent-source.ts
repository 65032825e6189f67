import {
  detectAgent,
  entryName,
  findEntry,
  prepareLaunch,
  searchPath,
  type AgentReach,
  type AgentSpec,
  type RemoteAddress,
  type SandboxChoice,
} from '@parley/host';
import { unknownAgent } from '../../agents/unknown-agent.ts';
import { whatIsMissing } from '../../catalogue/what-is-missing.ts';
import { CliError } from '../../cli-error.ts';
import {
  ownAgentName,
  remoteHeaders,
  withProviders,
  type AgentEntry,
  type Configuration,
} from '../../configuration/configuration.ts';
import { packagesFolder, type Variables } from '../../configuration/places.ts';
import { choiceFor } from '../../configuration/sandbox-settings.ts';
import type { AgentChoice } from '../flags.ts';
import { configuredSpec, withOptionDefaults } from './configured-spec.ts';
import type { OwnAgentOptions } from './own-agent.ts';
import { parseRemote } from './remote.ts';
import { serverKey } from './server-key.ts';

/** How long an agent may take to start if it is downloaded first. */
const fetchTimeoutMs = 300_000;

/** What is needed to find an agent. */
export interface FindAgentOptions {
  readonly env: Variables;
  /** A key that was typed together with an address. */
  readonly token?: string;
  /** The folders of the session: programs in them are not looked for. */
  readonly folders: readonly string[];
  /** The model that sessions of our own agent begin with, as `provider/model`. */
  readonly model?: string;
  /** Aborts the installation of a package. */
  readonly signal?: AbortSignal;
  readonly warn: (code: string, message: string) => void;
  /** The sandbox of the session. @default as it is configured */
  readonly sandbox?: SandboxChoice;
}

/** The same for a name that may not have been typed: where it comes from. */
type FindNamedOptions = FindAgentOptions & { readonly origin?: string };

/** Finds the agent that was asked for: in the configuration, else in the catalogue. */
export async function findAgent(
  choice: AgentChoice,
  configuration: Configuration,
  options: FindAgentOptions,
): Promise<AgentSpec> {
  switch (choice.kind) {
    case 'command':
      return {
        name: choice.command,
        reach: { by: 'command', command: choice.command, args: choice.args },
      };
    case 'remote':
      return toTypedRemote(choice.address, options);
    case 'name':
      return findByName(choice.name, configuration, options);
    case 'default':
      return findByName(configuration.defaultAgent, configuration, {
        ...options,
        origin: '"defaultAgent" of the configuration',
      });
  }
}

async function findByName(
  name: string,
  configuration: Configuration,
  options: FindNamedOptions,
): Promise<AgentSpec> {
  return withProviders(await findNamed(name, configuration, options), configuration);
}

async function findNamed(
  name: string,
  configuration: Configuration,
  options: FindNamedOptions,
): Promise<AgentSpec> {
  const { agents } = configuration;
  if (name === ownAgentName) {
    return isHeld(configuration, options)
      ? heldOwnAgent(options)
      : ownAgentSpec({ ...options, configuration });
  }
  const entry = agents.get(name);
  if (entry === undefined) return findInCatalogue(name, agents, options);
  if (entry.kind === 'remote') return toConfiguredRemote(name, entry, options);
  const { env, folders } = options;
  const search = await searchPath(env, [process.cwd(), ...folders]);
  return withOptionDefaults(await configuredSpec(name, entry, { env, search }), entry.options);
}

/** Our own agent. It runs in this process: that is faster than a second one, and it ends with this one in any case. */
function ownAgentSpec(options: OwnAgentOptions): AgentSpec {
  return {
    name: ownAgentName,
    reach: {
      by: 'transport',
      connect: async () => {
        const { connectOwnAgent } = await import('./own-agent.ts');
        return connectOwnAgent(options);
      },
    },
    serves: ownServices,
  };
}

/**
 * No editor stands behind this command, so nothing would be gained by the detour. And what an agent does through the client
 * without asking is judged by the client's rules: what the modes of our agent allow would be refused.
 */
const ownServices = { files: false, terminals: false };

/** Our own agent in a sandbox is a process, with the same services. */
async function heldOwnAgent({ model }: FindAgentOptions): Promise<AgentSpec> {
  const { ownAgentProcess } = await import('./held-own-agent.ts');
  return { ...ownAgentProcess(model), serves: ownServices };
}

function isHeld(configuration: Configuration, { sandbox: choice }: FindAgentOptions): boolean {
  return (choice ?? choiceFor(configuration, ownAgentName)) !== 'off';
}

/** Whether a spec is of our own agent. */
export function isOwnAgent({ name }: AgentSpec): boolean {
  return name === ownAgentName;
}

/** Finds a remote agent, by its address or by its name in the configuration; undefined where the name means no such one. */
export function findRemoteAgent(
  typed: RemoteAddress | string,
  { agents }: Configuration,
  options: RemoteOptions,
): RemoteSpec | undefined {
  if (typeof typed !== 'string') return toTypedRemote(typed, options);
  const entry = agents.get(typed);
  return entry?.kind === 'remote' ? toConfiguredRemote(typed, entry, options) : undefined;
}

/** The spec of a remote agent. */
export interface RemoteSpec extends AgentSpec {
  readonly reach: Extract<AgentReach, { readonly by: 'url' }>;
}

type RemoteOptions = Pick<FindAgentOptions, 'env' | 'token' | 'warn'>;

function toConfiguredRemote(
  name: string,
  entry: Extract<AgentEntry, { readonly kind: 'remote' }>,
  { env, warn }: RemoteOptions,
): RemoteSpec {
  const address = parseRemote(`agent "${name}"`, entry.url);
  const headers = remoteHeaders(entry, env);
  if (!address.isPrivate && Object.keys(headers).length > 0) {
    warn('unencrypted', `the connection to "${name}" is not encrypted, including its headers`);
  }
  return { name, reach: { by: 'url', url: address.url, headers } };
}

/** Agents of the configuration have headers of their own; an address has the key that is for it. */
function toTypedRemote(address: RemoteAddress, { env, token, warn }: RemoteOptions): RemoteSpec {
  const key = serverKey(address, {
    env,
    warn: (message) => {
      warn('key', message);
    },
    ...(token !== undefined && { typed: token }),
  });
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  return { name: address.name, reach: { by: 'url', url: address.url, headers } };
}

async function findInCatalogue(
  name: string,
  configured: Configuration['agents'],
  { env, folders, origin, signal, warn }: FindNamedOptions,
): Promise<AgentSpec> {
  // Loaded for a name that the configuration does not have.
  const { readCatalogue } = await import('../../catalogue/read-catalogue.ts');
  const entries = await readCatalogue(env, warn);
  const entry = findEntry(entries, name);
  if (entry === undefined) {
    throw unknownAgent(name, [ownAgentName, ...configured.keys(), ...entries.map(entryName)], origin);
  }
  const search = await searchPath(env, [process.cwd(), ...folders]);
  const presence = await detectAgent(entry, search.env, packagesFolder(env));
  const prepared = await prepareLaunch(entry, presence, {
    search,
    packageFolder: packagesFolder(env),
    onInstall: (specifier) => {
      warn('package', `${entry.name} is not installed: installing ${specifier} …`);
    },
    ...(signal !== undefined && { signal }),
  });
  if (prepared === undefined) {
    throw new CliError('usage', `${entry.name} cannot be started: ${whatIsMissing(entry, presence)}`);
  }
  const spec = { ...prepared, name };
  const fetches = prepared.reach.by === 'command' ? prepared.reach.fetches : undefined;
  if (fetches === undefined) return spec;
  warn(
    'package',
    `${entry.name} is not installed: starting the package ${fetches}, downloading it if necessary`,
  );
  return { ...spec, startTimeoutMs: fetchTimeoutMs };
}

/** A `provider/model` as our own agent writes it; undefined for a model that keeps the provider. */
export function fullModel(model: string | undefined): string | undefined {
  const [, provider, name] = /^\s*([^/\s][^/]*?)\s*\/\s*(\S.*?)\s*$/su.exec(model ?? '') ?? [];
  return provider === undefined || name === undefined ? undefined : `${provider.toLowerCase()}/${name}`;
}
