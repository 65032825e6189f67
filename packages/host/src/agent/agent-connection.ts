import type { AgentCapabilities, AgentPeer, AuthMethod, ClientConnection, Implementation } from '@parley/acp';
import type { ExitStatus } from '@parley/workspace';
import type { OpenSessionOptions, AgentSession, SignalOptions } from '../agent-session/agent-session.ts';

/** An agent that answered `initialize`. */
export interface AgentConnection extends AsyncDisposable {
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
  openSession(options: OpenSessionOptions): Promise<AgentSession>;
  /**
   * Signs in by a method that the agent sees to. That may take as long as a user needs in a browser: it ends with
   * the signal.
   *
   * @throws {HostError} `not-supported`: the agent offers no such method, or not for itself to see to.
   */
  authenticate(methodId: string, options?: SignalOptions): Promise<void>;
  /**
   * Signs out. Sessions that are open may want to be signed in again.
   *
   * @throws {HostError} `not-supported`
   */
  logout(options?: SignalOptions): Promise<void>;
  /**
   * Ends it, and all it started: its input is closed, after a second its process group gets TERM, after
   * another KILL. Never rejects.
   */
  end(): Promise<ExitStatus>;
}
