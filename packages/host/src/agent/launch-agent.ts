import { holdAgent } from '../sandbox/hold-agent.ts';
import { loadEngines, notHeld, SandboxFailed } from '../sandbox/open-agent-sandbox.ts';
import { policyInside } from '../sandbox/policy-inside.ts';
import type { SandboxSettings } from '../sandbox/sandbox-settings.ts';
import type { AgentConnection } from './agent-connection.ts';
import type { AgentOptions } from './agent-options.ts';
import type { AgentSpec } from './agent-spec.ts';
import type { AsRoot } from './catalogue/catalogue-entry.ts';
import { connectAgent } from './connect-agent.ts';
import { openAgent } from './open-agent.ts';
import { openRemoteAgent } from './open-remote-agent.ts';

/** The start parameters of an agent that its spec does not contain. */
export interface LaunchPlace {
  /** The folder in which its process starts. */
  readonly cwd: string;
  /** Variables in addition to those of the spec, such as keys that a user entered. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** The session's folders besides `cwd`. @default none */
  readonly directories?: readonly string[];
  /** The sandbox of the agent and of everything it starts. @default none */
  readonly sandbox?: SandboxSettings;
  /** The socket that provides tools to an agent in a sandbox. @default none */
  readonly toolSocket?: string;
}

/**
 * Starts an agent from its spec. Options take precedence over the spec, because users configure them.
 *
 * @throws {HostError} Like `openAgent`.
 */
export async function launchAgent(
  { name, reach, env: own, signIn, asRoot, serves, startTimeoutMs, providers }: AgentSpec,
  { cwd, env: typed, directories = [], sandbox, toolSocket }: LaunchPlace,
  options: Omit<AgentOptions, 'name' | 'signIn' | 'rootHint' | 'sandbox'>,
): Promise<AgentConnection> {
  const env = { ...own, ...typed, ...sandbox?.env };
  const rootHint = asRoot === undefined ? undefined : hintForRoot(asRoot, { ...process.env, ...env });
  const all: AgentOptions = {
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...options,
    name,
    serves: { ...serves, ...options.serves },
    ...(providers !== undefined && { providers }),
    ...(signIn !== undefined && { signIn }),
    ...(rootHint !== undefined && { rootHint }),
  };
  // A sandbox is opened first: both read many files, and the agent can only start when it is open.
  if (sandbox === undefined) options.checkpoints?.prepare(cwd);
  switch (reach.by) {
    case 'command': {
      const { command, args = [], startedAhead } = reach;
      const start = { command, args, env, cwd };
      if (sandbox === undefined) {
        return openAgent({ ...all, ...start, ...(startedAhead !== undefined && { startedAhead }) });
      }
      const { firstLine } = sandbox;
      return startedAgain(async () => {
        const held = await holdAgent(sandbox, {
          name,
          ...start,
          folders: [cwd, ...directories],
          ...(toolSocket !== undefined && { toolSocket }),
        });
        options.checkpoints?.prepare(cwd);
        return openAgent({
          ...all,
          ...start,
          ...held,
          ...(firstLine !== undefined && { firstLine }),
          policy: policyInside(options.policy, sandbox),
        });
      });
    }
    case 'url': {
      if (sandbox !== undefined) throw notHeld(name, sandbox, 'it runs on another machine', elsewhere);
      const { url, headers = {} } = reach;
      return openRemoteAgent({ ...all, url, headers });
    }
    case 'transport': {
      if (sandbox !== undefined) throw notHeld(name, sandbox, 'it runs in the process of Parley');
      const { signal } = options;
      const transport = await reach.connect({ env, ...(signal !== undefined && { signal }) });
      return connectAgent({ ...all, transport });
    }
  }
}

/** Starts an agent in a new sandbox where the first one did not start it for a reason that has passed. */
async function startedAgain(start: () => Promise<AgentConnection>): Promise<AgentConnection> {
  const { mostStarts } = await loadEngines();
  for (let starts = 1; ; starts += 1) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof SandboxFailed && error.isPassing) || starts === mostStarts) throw error;
    }
  }
}

/** Advice for a remote agent with a sandbox setting. */
const elsewhere = 'Set "sandbox": "off" for it in your configuration';

/** Advice for an agent that refuses to run as root; undefined if nothing prevents it. */
function hintForRoot(
  { variable, hint }: AsRoot,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return process.getuid?.() === 0 && (variables[variable] ?? '') === '' ? hint : undefined;
}
