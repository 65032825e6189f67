import type { AgentConnection } from './agent-connection.ts';
import type { AgentOptions } from './agent-options.ts';
import type { AgentSpec } from './agent-spec.ts';
import { connectAgent } from './connect-agent.ts';
import { openAgent } from './open-agent.ts';
import { openRemoteAgent } from './open-remote-agent.ts';

/** Where, and with what besides its spec, an agent is started. */
export interface LaunchPlace {
  /** The folder its process starts in. */
  readonly cwd: string;
  /** Variables on top of those of the spec, such as keys that a user typed. @default none */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts an agent, however it is reached. What the options say wins over the spec: users configure the options.
 *
 * @throws {HostError} as `openAgent` does
 */
export async function launchAgent(
  { name, reach, env: own, signIn, serves, startTimeoutMs }: AgentSpec,
  { cwd, env: typed }: LaunchPlace,
  options: Omit<AgentOptions, 'name' | 'signIn'>,
): Promise<AgentConnection> {
  const env = { ...own, ...typed };
  const all: AgentOptions = {
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...options,
    name,
    serves: { ...serves, ...options.serves },
    ...(signIn !== undefined && { signIn }),
  };
  switch (reach.by) {
    case 'command': {
      const { command, args = [] } = reach;
      return openAgent({ ...all, command, args, env, cwd });
    }
    case 'url': {
      const { url, headers = {} } = reach;
      return openRemoteAgent({ ...all, url, headers });
    }
    case 'transport': {
      const { signal } = options;
      const transport = await reach.connect({ env, ...(signal !== undefined && { signal }) });
      return connectAgent({ ...all, transport });
    }
  }
}
