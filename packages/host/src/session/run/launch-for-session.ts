import type { ObservedFrame } from '@parley/wire';
import type { AgentClients } from '../../agent/agent-clients.ts';
import type { AgentConnection } from '../../agent/agent-connection.ts';
import type { AgentSpec } from '../../agent/agent-spec.ts';
import { launchAgent } from '../../agent/launch-agent.ts';
import type { StartOptions } from '../../agent/supervisor/supervised-agent.ts';
import type { AuthStatus } from '../../agent/unstable/auth-status.ts';
import type { TurnCheckpoints } from '../../changes/turn/turn-checkpoints.ts';
import type { EventStore } from '../../event/event-store.ts';
import type { Interact } from '../../interact.ts';
import type { Policy } from '../../permission/policy.ts';
import type { SandboxChoice } from '../../sandbox/sandbox-settings.ts';
import type { TerminalOutput } from '../../services/terminal/terminal-output.ts';
import type { SessionRuntime } from '../session-runtime.ts';

/** The agent of a session, and how it is started each time. */
export interface SessionLaunch {
  readonly spec: AgentSpec;
  readonly runtime: SessionRuntime;
  readonly cwd: string;
  /** The sandbox that a user chose for it. @default as it is configured */
  readonly sandbox?: SandboxChoice;
  /** Opens the socket on which tools are served to it if it is held. @default that of its delegation */
  readonly toolSocket?: () => Promise<string>;
  /** The agents that it may delegate to. @default it may not delegate */
  readonly delegation?: {
    readonly agents: readonly { readonly name: string }[];
    readonly toolSocket?: () => Promise<string>;
  };
  /** The folders of the session besides `cwd`, asked for at each start. */
  readonly directories: () => readonly string[];
  readonly interact: Interact;
  /** The clients of the session, for requests of its agent. @default none */
  readonly clients?: AgentClients;
  /** Called with the agent each time it was started. @default nothing */
  readonly onAgent?: (agent: AgentConnection) => void;
  /** Called when the agent reports another sign-in state. @default nothing */
  readonly onAuthStatus?: (status: AuthStatus) => void;
  readonly signal: AbortSignal;
  /** Variables that a user typed for it, asked for at each start. */
  readonly variables: () => Readonly<Record<string, string>>;
  /** Receives the output of commands. */
  readonly onOutput?: (output: TerminalOutput) => void;
  /** Sees each frame in both directions. @default frames are not observed */
  readonly observe?: (frame: ObservedFrame) => void;
}

/** What an agent is opened with, the same each time. */
interface LaunchParts {
  readonly policy: Policy;
  readonly store: EventStore;
  readonly checkpoints: TurnCheckpoints | undefined;
}

/** Starts the agent of a session, in the session's sandbox. */
export async function launchForSession(
  options: SessionLaunch,
  { policy, store, checkpoints }: LaunchParts,
  start: StartOptions,
): Promise<AgentConnection> {
  const { runtime, spec, cwd, interact, variables, signal, clients, delegation } = options;
  const { toolSocket: openToolSocket = delegation?.toolSocket } = options;
  const { answersFile, startTimeoutMs, openTimeoutMs, requestTimeoutMs } = runtime;
  const choice = options.sandbox;
  const sandbox = await runtime.sandboxFor?.({ spec, cwd, ...(choice !== undefined && { choice }) });
  const toolSocket = sandbox === undefined ? undefined : await openToolSocket?.();
  const agent = await launchAgent(
    spec,
    {
      cwd,
      env: variables(),
      directories: options.directories(),
      ...(sandbox !== undefined && { sandbox }),
      ...(toolSocket !== undefined && { toolSocket }),
    },
    {
      ...start,
      signal: start.signal ?? signal,
      clientInfo: runtime.info,
      policy,
      store,
      ...(checkpoints !== undefined && { checkpoints }),
      interact,
      ...(options.onAuthStatus !== undefined && { onAuthStatus: options.onAuthStatus }),
      ...(options.observe !== undefined && { observe: options.observe }),
      ...(options.onOutput !== undefined && { onOutput: options.onOutput }),
      serves: runtime.serves ?? { signInTerminal: true },
      ...(runtime.trace !== undefined && { trace: runtime.trace }),
      ...(answersFile !== undefined && { answersFile }),
      ...(startTimeoutMs !== undefined && { startTimeoutMs }),
      ...(openTimeoutMs !== undefined && { openTimeoutMs }),
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
      ...(clients !== undefined && { clients }),
    },
  );
  options.onAgent?.(agent);
  return agent;
}
