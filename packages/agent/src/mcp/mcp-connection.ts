import type { ContentBlock } from '@parley/acp';

/** An open connection to an MCP server. */
export interface McpConnection {
  /** False once the server has exited or disconnected. */
  readonly isOpen: boolean;
  /** What the server offers now. */
  readonly tools: readonly McpToolInfo[];
  /** Aborting its signal cancels the call at the server too. */
  callTool(call: McpCall): Promise<McpResult>;
  /** Closes the connection and waits for the end of its process. Never rejects. */
  close(): Promise<void>;
}

/** A tool as its server describes it. */
export interface McpToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Whether the server declares the tool as read-only. */
  readonly isReadOnly: boolean;
}

/** One call of a tool. */
export interface McpCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Goes into `_meta`: the trace context of the prompt. */
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Silence, without a result or progress, after which the call fails. */
  readonly idleMs: number;
  onProgress(message: string): void;
}

/** What a tool answered. */
export interface McpResult {
  readonly content: readonly ContentBlock[];
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}
