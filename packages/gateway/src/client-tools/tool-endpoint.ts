import type { ContentBlock, ToolCallInput, ToolSpec } from '@parley/aap';
import type { McpCapabilities, McpServer } from '@parley/acp';

/** The application's tools of one session, as an MCP server that its agent receives. */
export interface ToolEndpoint extends AsyncDisposable {
  /**
   * What `session/new`, `load` and `resume` are to name: over HTTP where the agent can, else a process that passes
   * standard input and output on.
   */
  mcpServer(capabilities?: McpCapabilities): McpServer;
  /** Other tools from now on. A connected agent is notified. */
  setTools(tools: readonly ToolSpec[]): void;
  /** Aborts what waits, and answers no further call. */
  close(): Promise<void>;
}

/** What an endpoint offers, and who answers. */
export interface ToolEndpointOptions {
  readonly tools: readonly ToolSpec[];
  /**
   * Gets the answer of the application, however long it takes; what it throws is the call's failure, for the model to read.
   * Once for each call: an agent that stopped waiting and calls again with the same input gets the same answer.
   */
  readonly call: AnswerToolCall;
}

/** @see ToolEndpointOptions.call */
export type AnswerToolCall = (
  call: AgentToolCall,
  signal: AbortSignal,
) => Promise<string | readonly ContentBlock[]>;

/** A call of one of the application's tools, as the agent makes it over MCP. */
export interface AgentToolCall {
  readonly name: string;
  readonly input: ToolCallInput;
  /** Some agents send here the id of the call over ACP. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Where the endpoints of all sessions live. It listens on the loopback address while there are any. */
export interface ToolEndpoints extends AsyncDisposable {
  open(options: ToolEndpointOptions): Promise<ToolEndpoint>;
  /** Closes all that are open. */
  close(): Promise<void>;
}
