import type { Implementation } from '@parley/acp';
import type { HostEvent, PolicyRule, ServedResources, SessionStore, SignIn } from '@parley/host';
import type { Transport } from '@parley/wire';
import type { ToolEndpoints } from '../client-tools/tool-endpoint.ts';
import type { AgentPool } from '../pool/agent-pool.ts';

/** An ACP agent, and how it is offered to applications. */
export interface BridgeOptions {
  /** Unique among the agents that are offered together. */
  readonly name: string;
  /** @default what the agent calls itself */
  readonly title?: string;
  readonly description?: string;
  /** How it is reached; anew for each session. */
  readonly access: AgentAccess;
  /** What the agent is told about the program it talks to. */
  readonly clientInfo: Implementation;
  /** The directories that sessions may use, absolute; the first is the default. */
  readonly workspaces: readonly string[];
  /** Options that become variables of the agent's process. @default none */
  readonly options?: readonly VariableOption[];
  /** The mode in which it asks before it changes anything. @default the one it begins in */
  readonly askMode?: string;
  /** Rules of the configuration; only what they deny counts here, for the application decides the rest. @default none */
  readonly rules?: readonly PolicyRule[];
  /** @default as many processes as there are sessions */
  readonly pool?: AgentPool;
  /** Where the application's tools are served to agents on this machine. @default applications may bring none */
  readonly toolEndpoints?: ToolEndpoints;
  /** Keeps event logs of the agent's sessions. @default none are kept */
  readonly eventLogs?: { readonly store: SessionStore; readonly program: string };
  /** Secrets besides the values of secret options and of variables. @default none */
  readonly secrets?: readonly string[];
  /** How long the agent may take to start. @default 60000 */
  readonly startTimeoutMs?: number;
  /** How long the agent may take to open a session. @default 120000 */
  readonly openTimeoutMs?: number;
  /** How long the agent may take to show what it offers. @default 10000 */
  readonly probeMs?: number;
  /** Sees what happens with the agents, in order, for logs. The session is the application's; absent while it is probed. */
  readonly onEvent?: (event: HostEvent, sessionId?: string) => void;
}

/** How an agent is reached. */
export type AgentAccess =
  | {
      readonly by: 'process';
      readonly command: string;
      readonly args?: readonly string[];
      /** Variables that are added to this process's own. */
      readonly env?: Readonly<Record<string, string>>;
      /** The names of those whose values may be shown; all others are secrets. @default none */
      readonly publicEnv?: ReadonlySet<string>;
      /** How one signs in, as far as that is known beside what the agent says. @default nothing is known */
      readonly signIn?: SignIn;
      /** What it is served where that is not everything. @default everything */
      readonly serves?: ServedResources;
    }
  | {
      /** In this process, or elsewhere. */
      readonly by: 'transport';
      connect(start: AgentStart): Promise<Transport>;
    };

/** What an agent is started with. */
export interface AgentStart {
  /** The variables that options stand for. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** An option of an agent that becomes a variable of its process. */
export interface VariableOption {
  readonly type: 'text' | 'secret';
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The name of the variable. It is not set while the option is empty. */
  readonly env: string;
  readonly default: string;
}
