import type { ContentBlock, ToolCallInput, ToolSpec } from '@parley/aap';
import type { McpCapabilities, McpServer } from '@parley/acp';
import type { McpOverAcpServer } from '@parley/host';

/** The application's tools of one session, as an MCP server for its agent. */
export interface ToolEndpoint extends AsyncDisposable {
  /**
   * Returns the server to pass to `session/new`, `load` and `resume`: over HTTP if the agent supports it, else a
   * process that relays standard input and output.
   *
   * @param toolSocket The socket of the endpoints, as the sandbox of the agent shows it: such a process relays to it.
   */
  mcpServer(capabilities?: McpCapabilities, toolSocket?: string): McpServer;
  /** The same server for agents that reach it over the connection of ACP. */
  readonly overAcp: McpOverAcpServer;
  /** Replaces the tools. A connected agent is notified. */
  setTools(tools: readonly ToolSpec[]): void;
  /** Aborts waiting calls, and answers no further ones. */
  close(): Promise<void>;
}

/** Options of a tool endpoint. */
export interface ToolEndpointOptions {
  /** Name of the MCP server. Agents make it part of the names of its tools. @default 'parley-app' */
  readonly serverName?: string;
  readonly tools: readonly ToolSpec[];
  /**
   * Returns the application's answer, however long it takes. A thrown error is reported to the model as the failure
   * of the call. Called once per call: an agent that timed out and calls again with the same input gets the same
   * answer.
   */
  readonly call: AnswerToolCall;
}

/** @see ToolEndpointOptions.call */
export type AnswerToolCall = (
  call: AgentToolCall,
  signal: AbortSignal,
) => Promise<string | readonly ContentBlock[]>;

/** A call of one of the application's tools by the agent, over MCP. */
export interface AgentToolCall {
  readonly name: string;
  readonly input: ToolCallInput;
  /** Some agents send the id of the ACP tool call here. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Creates the endpoints of all sessions. Listens on the loopback address while endpoints are open. */
export interface ToolEndpoints extends AsyncDisposable {
  open(options: ToolEndpointOptions): Promise<ToolEndpoint>;
  /**
   * The path of a Unix socket at which all endpoints can be reached too: for agents in a sandbox. Listens there from the first call on.
   */
  openSocket(): Promise<string>;
  /** Closes all endpoints. */
  close(): Promise<void>;
}
