import type { Implementation } from '@parley/acp';
import type { AgentPool, AgentSpec, HostEvent, SessionRuntime, SharedEventLogs } from '@parley/host';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { ToolEndpoints } from '../client-tools/tool-endpoint.ts';

/** An ACP agent, and how applications see it. */
export interface BridgeOptions {
  /** @default the title that the agent reports */
  readonly title?: string;
  readonly description?: string;
  /** How to start the agent, for each session. Its name must be unique among the served agents. */
  readonly spec: AgentSpec;
  /** The `clientInfo` that the agent receives. */
  readonly clientInfo: Implementation;
  /** The directories that sessions may use, absolute; the first is the default. */
  readonly workspaces: readonly string[];
  /** Options that become environment variables of the agent. @default none */
  readonly options?: readonly VariableOption[];
  /** The mode in which the agent asks before changes. @default its initial mode */
  readonly askMode?: string;
  /**
   * Rules of the configuration; only `deny` applies, because the application decides everything else. @default none
   */
  readonly rules?: readonly ConfiguredRule[];
  /** @default unlimited processes */
  readonly pool?: AgentPool;
  /** Serves the application's tools to agents on this machine. @default applications cannot supply tools */
  readonly toolEndpoints?: ToolEndpoints;
  /** The event logs of sessions: those of the AAP server's store, if it has one. */
  readonly eventLogs: SharedEventLogs;
  /** How changes of turns are recorded in a folder. @default they are not */
  readonly changesIn?: SessionRuntime['changesIn'];
  /** Returns the sandbox of a session's agent. @default none */
  readonly sandboxFor?: SessionRuntime['sandboxFor'];
  /** Time limit for starting the agent. @default 60000 */
  readonly startTimeoutMs?: number;
  /** Time limit for opening a session. @default 120000 */
  readonly openTimeoutMs?: number;
  /** Time limit for a probe of the agent. @default 10000 */
  readonly probeMs?: number;
  /**
   * Receives the events of the agents in order, for logs. `sessionId` is the application's session; absent during a
   * probe.
   */
  readonly onEvent?: (event: HostEvent, sessionId?: string) => void;
}

/** An option that becomes an environment variable of the agent. */
export interface VariableOption {
  readonly type: 'text' | 'secret';
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The name of the variable. It is not set while the option is empty. */
  readonly env: string;
  readonly default: string;
}
