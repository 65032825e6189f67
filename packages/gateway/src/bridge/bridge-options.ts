import type { Implementation } from '@parley/acp';
import type { AgentPool, AgentSpec, HostEvent, SessionRuntime, SharedEventLogs } from '@parley/host';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { ToolEndpoints } from '../client-tools/tool-endpoint.ts';

/** An ACP agent, and how it is offered to applications. */
export interface BridgeOptions {
  /** @default what the agent calls itself */
  readonly title?: string;
  readonly description?: string;
  /** How it is reached, anew for each session. Its name is unique among the agents that are offered together. */
  readonly spec: AgentSpec;
  /** The `clientInfo` for the agent. */
  readonly clientInfo: Implementation;
  /** The directories that sessions may use, absolute; the first is the default. */
  readonly workspaces: readonly string[];
  /** Options that become variables of the agent's process. @default none */
  readonly options?: readonly VariableOption[];
  /** The mode in which it asks before it changes anything. @default the one it begins in */
  readonly askMode?: string;
  /** Rules of the configuration; only what they deny counts here, for the application decides the rest. @default none */
  readonly rules?: readonly ConfiguredRule[];
  /** @default as many processes as there are sessions */
  readonly pool?: AgentPool;
  /** Where the application's tools are served to agents on this machine. @default applications may bring none */
  readonly toolEndpoints?: ToolEndpoints;
  /** The event logs of sessions: those of the store of the AAP server, where that has one. */
  readonly eventLogs: SharedEventLogs;
  /** How what turns change is covered in a folder. @default it is not */
  readonly changesIn?: SessionRuntime['changesIn'];
  /** How long the agent may take to start. @default 60000 */
  readonly startTimeoutMs?: number;
  /** How long the agent may take to open a session. @default 120000 */
  readonly openTimeoutMs?: number;
  /** How long the agent may take to show what it offers. @default 10000 */
  readonly probeMs?: number;
  /** Sees what happens with the agents, in order, for logs. The session is the application's; absent while it is probed. */
  readonly onEvent?: (event: HostEvent, sessionId?: string) => void;
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
