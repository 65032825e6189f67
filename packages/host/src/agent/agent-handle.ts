import type { AgentCapabilities, AgentPeer, AuthMethod, ClientConnection, Implementation } from '@parley/acp';
import type { ExitStatus } from '@parley/workspace';
import type { OpenSessionOptions, Session } from '../session/session.ts';

/** An agent that answered `initialize`. */
export interface AgentHandle extends AsyncDisposable {
  /** What messages call it. */
  readonly name: string;
  readonly connection: ClientConnection;
  /** What can be asked of it. */
  readonly agent: AgentPeer;
  /** What it says it is. */
  readonly info: Implementation | undefined;
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
  readonly protocolVersion: number;
  /** Settles when its process ended, or for an agent without a process its connection. Never rejects. */
  readonly exited: Promise<ExitStatus>;
  /** Whether it has ended, or is being ended: nothing can be asked of it any more. */
  readonly isOver: boolean;
  /** The last lines it wrote to standard error. */
  stderrTail(): string;
  /** See `openSession`. */
  openSession(options: OpenSessionOptions): Promise<Session>;
  /**
   * Ends it, and all it started: its input is closed, after a second its process group gets TERM, after
   * another KILL. Never rejects.
   */
  end(): Promise<ExitStatus>;
}
