import type { AgentPresence, CatalogueEntry, SandboxNeeds } from '@parley/host';
import type { AgentEntry } from '../configuration/configuration.ts';
import type { KnownAgent } from './known-agent.ts';

/** What `parley agents --json` says of an agent. Names of variables and headers, and of values only those that are public. */
export interface AgentReport {
  readonly name: string;
  readonly state: 'built-in' | 'configured' | 'installed' | 'available' | 'absent';
  /** Whether it runs when none is named. */
  readonly isDefault: boolean;
  /** Its id in the public registry. */
  readonly id?: string;
  readonly title?: string;
  readonly description?: string;
  /** Of what is installed, where it is known; of an available one that of the package. */
  readonly version?: string;
  /** What is started; for an installed agent a path. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Names of variables its process gets. */
  readonly variables?: readonly string[];
  /** The values of those that the configuration says are public. */
  readonly publicVariables?: Readonly<Record<string, string>>;
  /** What is fetched before it is started. */
  readonly package?: string;
  readonly runner?: 'npx' | 'uvx';
  /** Programs that have to be installed first. */
  readonly missing?: readonly string[];
  readonly url?: string;
  readonly headers?: readonly string[];
  /** The variable that holds the key for its server. */
  readonly tokenEnv?: string;
  readonly website?: string;
  readonly license?: string;
  readonly signIn?: { readonly hint: string; readonly variables: readonly string[] };
  /** What it needs in a sandbox. */
  readonly sandbox?: SandboxNeeds;
  readonly quirks?: readonly string[];
}

/** What is known about an agent, for people and programs. */
export function toAgentReport(
  agent: KnownAgent,
  { isDefault, version }: { readonly isDefault: boolean; readonly version?: string },
): AgentReport {
  const { name } = agent;
  switch (agent.kind) {
    case 'own':
      return {
        name,
        state: 'built-in',
        isDefault,
        ...(agent.entry !== undefined && describe(agent.entry)),
        ...(version !== undefined && { version }),
      };
    case 'configured':
      return { name, state: 'configured', isDefault, ...describeConfigured(agent.agent) };
    case 'catalogue':
      return {
        name,
        state: agent.presence.state === 'fetched' ? 'installed' : agent.presence.state,
        isDefault,
        ...describe(agent.entry),
        ...describePresence(agent.entry, agent.presence),
        ...(version !== undefined && { version }),
      };
  }
}

function describe(entry: CatalogueEntry): Partial<AgentReport> {
  const { id, name, description, website, license, running } = entry;
  return {
    id,
    title: name,
    description,
    ...(website !== undefined && { website }),
    ...(license !== undefined && { license }),
    ...(running.signIn !== undefined && {
      signIn: { hint: running.signIn.hint, variables: running.signIn.variables },
    }),
    ...(running.sandbox !== undefined && { sandbox: running.sandbox }),
    ...(running.quirks.length > 0 && { quirks: running.quirks }),
  };
}

function describePresence(entry: CatalogueEntry, presence: AgentPresence): Partial<AgentReport> {
  switch (presence.state) {
    case 'installed':
      return {
        command: presence.command,
        args: entry.running.args,
        variables: Object.keys(entry.running.env),
      };
    case 'fetched': {
      const { package: specifier, args = [], env = {} } = entry.distribution.npx ?? {};
      const { command, args: first } = presence.program;
      return {
        version: entry.version,
        command,
        args: [...first, ...args],
        variables: Object.keys(env),
        ...(specifier !== undefined && { package: specifier }),
      };
    }
    case 'available': {
      const distribution = entry.distribution[presence.runner];
      if (distribution === undefined) return {};
      return {
        version: entry.version,
        runner: presence.runner,
        package: distribution.package,
        args: distribution.args,
        variables: Object.keys(distribution.env),
      };
    }
    case 'absent':
      return presence.missing.length === 0 ? {} : { missing: presence.missing };
  }
}

function describeConfigured(agent: AgentEntry): Partial<AgentReport> {
  switch (agent.kind) {
    case 'command': {
      const { publicEnv } = agent;
      const options = agent.options.flatMap(({ env }) => (env === undefined ? [] : [env]));
      return {
        command: agent.command,
        args: agent.args,
        variables: [...new Set([...agent.env.keys(), ...options])],
        ...(publicEnv !== undefined && {
          publicVariables: Object.fromEntries([...agent.env].filter(([name]) => publicEnv.has(name))),
        }),
      };
    }
    case 'remote':
      return {
        url: agent.url,
        headers: [...agent.headers.keys()],
        ...(agent.tokenEnv !== undefined && { tokenEnv: agent.tokenEnv }),
      };
  }
}
