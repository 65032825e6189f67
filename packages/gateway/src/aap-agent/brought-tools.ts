import type { ToolSpec } from '@parley/aap';
import type { McpServer, ToolCallContent } from '@parley/acp';

/** Connects the MCP servers that a client supplies for one session. */
export type BringTools = (servers: readonly McpServer[], options: { readonly cwd: string }) => BroughtTools;

/** The tools of these servers. */
export interface BroughtTools {
  /** Waits for connecting servers for a limited time. Aborting ends only the wait. */
  ready(signal: AbortSignal): Promise<void>;
  /** The currently available tools. */
  tools(): readonly BroughtTool[];
  /** Returns the notices about servers since the last call. */
  takeNotices(): readonly BroughtNotice[];
  /** Ends the servers. */
  close(): Promise<void>;
}

/** A tool of an MCP server. */
export interface BroughtTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The JSON Schema of its input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Calls the tool without asking for permission. */
  call(
    input: unknown,
    running: {
      readonly signal: AbortSignal;
      readonly show: (content: readonly ToolCallContent[]) => Promise<void>;
    },
  ): Promise<BroughtResult>;
}

/** The result of a call. */
export interface BroughtResult {
  /** The text for the model. */
  readonly text: string;
  /** The images for the model, Base64. */
  readonly images?: readonly { readonly mimeType: string; readonly data: string }[];
  /** The content for users. */
  readonly content: readonly ToolCallContent[];
  readonly isError?: boolean;
}

/** A notice about the servers for the client. */
export interface BroughtNotice {
  readonly severity: 'info' | 'warning';
  readonly title: string;
  readonly description: string;
}

/** A tool that a client brought along, as it is sent to an AAP server. */
export function toSpec({ name, title, description, inputSchema }: BroughtTool): ToolSpec {
  return { name, title, description, parameters: inputSchema };
}
