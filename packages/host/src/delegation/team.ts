import type { McpCapabilities, McpServer } from '@parley/acp';
import type { CancelOptions } from '../agent-session/agent-session.ts';
import type { McpOverAcpServer } from '../agent/unstable/mcp-over-acp.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { SessionWorktree } from '../event/session-event.ts';
import type { Interact } from '../interact.ts';
import type { Redaction } from '../redaction/redaction.ts';
import type { AgentRun } from '../session/run/agent-run.ts';
import type { SessionRuntime } from '../session/session-runtime.ts';
import type { SessionTurns } from '../session/session-turns.ts';
import type { DelegationLimits } from './delegation-limits.ts';
import type { DelegationTool } from './delegation-tools.ts';

/** An agent that sessions may delegate to. */
export interface TeamAgent {
  /** Its configured name. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The mode in which the agent asks before it acts. @default its own default mode */
  readonly askMode?: string;
}

/** The agents that a session may delegate to, and how. */
export interface DelegationOptions {
  readonly agents: readonly TeamAgent[];
  readonly limits: DelegationLimits;
  /**
   * Creates the session of a delegate, without starting its agent.
   *
   * @throws {Error} Why it cannot begin, for the model that delegates.
   */
  readonly open: (wish: DelegateWish) => Promise<OpenedDelegate>;
  /** Serves the tools to the agent of the session, over MCP. */
  readonly serve: (server: DelegationServer) => Promise<ServedDelegation>;
  /**
   * Opens the socket that serves the tools to agents in a sandbox. @default they use the same address as other agents
   */
  readonly toolSocket?: () => Promise<string>;
  /** The delegates that this agent itself belongs to. @default it is not a delegate */
  readonly above?: DelegationAbove;
}

/** What delegates at all depths share. */
export interface DelegationAbove {
  /** How many delegates are above. */
  readonly depth: number;
  /** The names of the agents above, the session that a client began first. */
  readonly agents: readonly string[];
  readonly counts: DelegationCounts;
}

/** Delegates of a session, at all depths. */
export interface DelegationCounts {
  running: number;
  total: number;
}

/** The session to create. */
export interface DelegateWish {
  readonly agent: TeamAgent;
  /** A new git worktree, or one by its name. @default the folder of the parent */
  readonly worktree?: true | string;
  /** What the session has from its parent. */
  readonly basis: DelegateBasis;
  /** Aborted when the parent ends. */
  readonly signal: AbortSignal;
}

/** What the session of a delegate has from its parent: its rights, or narrower ones. */
export interface DelegateBasis {
  readonly key: string;
  /** The key of its parent. */
  readonly parent: string;
  readonly cwd: string;
  readonly worktree?: SessionWorktree;
  readonly additionalDirectories: readonly string[];
  readonly owner?: string;
  readonly runtime: SessionRuntime;
  readonly interact: Interact;
  readonly onEvent: (event: HostEvent) => void | Promise<void>;
  /** @default it may not delegate itself */
  readonly delegation?: DelegationOptions;
}

/** The session of a delegate, as its parent uses it. */
export interface DelegateSession {
  readonly turns: SessionTurns;
  /** Those that work for it. */
  readonly subagents: { settled(options: { readonly signal: AbortSignal }): Promise<void> };
  /** The agent and its session, while it runs. */
  readonly run: AgentRun | undefined;
  /** Hides secrets of the delegate. */
  readonly redaction: Redaction;
  /** Ends the turn and the agent. */
  shutDown(options?: CancelOptions): Promise<void>;
}

/** A session of a delegate that was created. Disposing releases its worktree. */
export interface OpenedDelegate extends AsyncDisposable {
  readonly session: DelegateSession;
  readonly worktree?: SessionWorktree;
}

/** The tools of an MCP server, and how they are answered. */
export interface DelegationServer {
  readonly name: string;
  readonly tools: readonly DelegationTool[];
  /** Calls a tool. Returns the result as text; rejects with a message for the model. */
  readonly call: (
    call: { readonly name: string; readonly input: unknown },
    signal: AbortSignal,
  ) => Promise<string>;
}

/** An MCP server that is there. */
export interface ServedDelegation {
  /** The same server for agents that support MCP over ACP. @default it is not offered that way */
  readonly overAcp?: McpOverAcpServer;
  /**
   * The MCP server in the form that an agent with these capabilities supports.
   *
   * @param toolSocket Path of the `toolSocket` inside the agent's sandbox. Undefined without a sandbox.
   */
  mcpServer(capabilities?: McpCapabilities, toolSocket?: string): McpServer;
  /** Never rejects. */
  close(): Promise<void>;
}
