import type { ToolSpec } from '@parley/aap';
import type { McpServer, ToolCallContent } from '@parley/acp';

/** Connects the MCP servers that a client brought along for one session. */
export type BringTools = (servers: readonly McpServer[], options: { readonly cwd: string }) => BroughtTools;

/** The tools of these servers. */
export interface BroughtTools {
  /** Waits for servers that are about to answer, not for long. Aborting ends only the wait. */
  ready(signal: AbortSignal): Promise<void>;
  /** Those there are now. */
  tools(): readonly BroughtTool[];
  /** What became of the servers since it was asked last. */
  takeNotices(): readonly BroughtNotice[];
  /** Ends the servers. */
  close(): Promise<void>;
}

/** One of these tools. */
export interface BroughtTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Does not ask for permission. */
  call(
    input: unknown,
    running: {
      readonly signal: AbortSignal;
      readonly show: (content: readonly ToolCallContent[]) => Promise<void>;
    },
  ): Promise<BroughtResult>;
}

/** What came of a call. */
export interface BroughtResult {
  /** For the model. */
  readonly text: string;
  /** For the model, beside the text; Base64. */
  readonly images?: readonly { readonly mimeType: string; readonly data: string }[];
  /** For people. */
  readonly content: readonly ToolCallContent[];
  readonly isError?: boolean;
}

/** Something a client should know of its servers. */
export interface BroughtNotice {
  readonly severity: 'info' | 'warning';
  readonly title: string;
  readonly description: string;
}

/** A tool that a client brought along, as it is sent to an AAP server. */
export function toSpec({ name, title, description, inputSchema }: BroughtTool): ToolSpec {
  return { name, title, description, parameters: inputSchema };
}
