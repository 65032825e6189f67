import type { AgentPeer, TraceContext } from '@parley/acp';
import type { ProcessLoad } from '@parley/workspace';

/** The agent, as its sessions use it. */
export interface SessionAgent {
  readonly peer: AgentPeer;
  readonly requestTimeoutMs: number;
  /** Time limit for opening a session. */
  readonly openTimeoutMs: number;
  /** Whether the agent advertises Agentao's extension that sets any model by name. */
  readonly takesAnyModel: boolean;
  /** Whether the agent supports steering. */
  readonly takesSteering: boolean;
  /** Whether the agent is running. */
  readonly isGone: boolean;
  end(): Promise<unknown>;
  /**
   * Measures the load of the agent's processes for `lookMs`; undefined if there are none or the system does not
   * report it.
   */
  load(lookMs: number): Promise<ProcessLoad | undefined>;
  /** The last lines it wrote to standard error. */
  stderrTail(): string;
  /** The trace that its user is in. */
  readonly trace: TraceContext | undefined;
  /** Makes a failed request an error of this package. */
  explain(method: string, error: unknown, signal?: AbortSignal): Promise<Error>;
  /** The session is closed. */
  forget(sessionId: string): void;
}
