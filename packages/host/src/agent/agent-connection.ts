import type {
  AgentCapabilities,
  AgentPeer,
  AuthMethod,
  ClientConnection,
  Implementation,
  McpServer,
} from '@parley/acp';
import type { ExitStatus } from '@parley/workspace';
import type { Sandbox } from '@parley/workspace/sandbox';
import type { OpenSessionOptions, AgentSession, SignalOptions } from '../agent-session/agent-session.ts';
import type { McpOverAcpServer } from './unstable/mcp-over-acp.ts';

/** A running agent that has answered `initialize`. */
export interface AgentConnection extends AsyncDisposable {
  /** The name for messages. */
  readonly name: string;
  readonly connection: ClientConnection;
  /** Sends requests to the agent. */
  readonly agent: AgentPeer;
  /** The agent's description of itself. */
  readonly info: Implementation | undefined;
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly AuthMethod[];
  readonly protocolVersion: number;
  /**
   * Settles when the process has exited, or the connection of an agent without a process has closed. Never rejects.
   */
  readonly exited: Promise<ExitStatus>;
  /** The sandbox of its processes; undefined without one. */
  readonly sandbox: Sandbox | undefined;
  /** Whether the agent has ended or is being ended. */
  readonly isOver: boolean;
  /** Returns the last lines of standard error. */
  stderrTail(): string;
  /**
   * Offers an MCP server over this connection, until it is closed. Returns what `session/new` needs; undefined if the
   * agent does not declare `mcpCapabilities.acp`.
   */
  offerMcp(server: McpOverAcpServer): McpServer | undefined;
  /** See `openSession`. */
  openSession(options: OpenSessionOptions): Promise<AgentSession>;
  /**
   * Signs in by a method that the agent handles. May take as long as the user needs in a browser; the signal aborts
   * it.
   *
   * @throws {HostError} `not-supported`: the agent offers no such method, or does not handle it itself.
   */
  authenticate(methodId: string, options?: SignalOptions): Promise<void>;
  /**
   * Signs out. Open sessions may require another sign-in.
   *
   * @throws {HostError} `not-supported`
   */
  logout(options?: SignalOptions): Promise<void>;
  /**
   * Ends the agent and all processes it started: closes its standard input, sends TERM to its process group after a
   * second, and KILL after another. Never rejects.
   */
  end(): Promise<ExitStatus>;
}
