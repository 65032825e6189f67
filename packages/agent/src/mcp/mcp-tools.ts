import type { McpServer } from '@parley/acp';
import type { ConversationNotice } from '../conversation/conversation-notice.ts';
import type { Environment } from '../environment.ts';
import { defaultLimits, type AgentLimits } from '../limits.ts';
import type { RunningCall, ToolOutput } from '../tools/tool.ts';
import { checkMcpServers } from './check-mcp-servers.ts';
import { ConversationServers } from './conversation-servers.ts';

/** Options of `openMcpTools`. */
export interface McpToolsOptions {
  readonly environment: Environment;
  /** The folder in which server commands start. */
  readonly cwd: string;
  /** @default the limits of the agent */
  readonly limits?: Partial<AgentLimits>;
}

/** The tools of MCP servers, for a caller that lends them to a remote agent. */
export interface McpTools {
  /** Waits for a limited time until all servers have connected or failed. Aborting ends only the wait. */
  ready(signal: AbortSignal): Promise<void>;
  /** The tools of all connected servers. */
  tools(): readonly LentTool[];
  /** Returns the notices about servers since the last call. */
  takeNotices(): readonly ConversationNotice[];
  /** Closes all connections and ends their processes. Never rejects. */
  close(): Promise<void>;
}

/** A tool of an MCP server. */
export interface LentTool {
  /** The unique name: `mcp__SERVER__TOOL`. */
  readonly name: string;
  /** The display title. */
  readonly title: string;
  readonly description: string;
  /** The JSON Schema of its input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Calls the tool without asking for permission. Throws if the call fails. */
  call(input: unknown, running: RunningCall): Promise<ToolOutput>;
}

/**
 * Connects MCP servers in the background. A server that fails only causes a notice.
 *
 * @throws {RpcError} -32602: a server has an invalid configuration.
 */
export function openMcpTools(servers: readonly McpServer[], options: McpToolsOptions): McpTools {
  checkMcpServers(servers);
  const { environment, cwd } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const open = new ConversationServers(servers, { environment, limits, cwd });
  open.connect();
  return {
    ready: (signal) => open.ready(signal),
    tools: () =>
      open.tools().map((tool) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        inputSchema: tool.inputSchema,
        // Nothing is thrown before the promise is there.
        call: async (input, running) => tool.prepare(input, { environment, limits }).run(running),
      })),
    takeNotices: () => open.takeNotices(),
    close: () => open.close(),
  };
}
