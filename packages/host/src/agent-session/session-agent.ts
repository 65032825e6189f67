import type { AgentPeer, TraceContext } from '@parley/acp';
import type { ProcessLoad } from '@parley/workspace';

/** The agent, as its sessions use it. */
export interface SessionAgent {
  readonly peer: AgentPeer;
  readonly requestTimeoutMs: number;
  /** How long it may take to open a session. */
  readonly openTimeoutMs: number;
  /** Whether it advertises Agentao's extension that takes a model by any name. */
  readonly takesAnyModel: boolean;
  /** Whether the agent is running. */
  readonly isGone: boolean;
  end(): Promise<unknown>;
  /** Looks for that long what its processes do, where there are any and the system reports it. */
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
