import type { McpServer } from '@parley/acp';
import type { Environment } from '../environment.ts';
import { defaultLimits, type AgentLimits } from '../limits.ts';
import type { SessionNotice } from '../session/session-notice.ts';
import type { RunningCall, ToolOutput } from '../tools/tool.ts';
import { checkMcpServers } from './check-mcp-servers.ts';
import { SessionServers } from './session-servers.ts';

/** What MCP servers are connected with. */
export interface McpToolsOptions {
  readonly environment: Environment;
  /** Where those that are commands start. */
  readonly cwd: string;
  /** @default those of the agent */
  readonly limits?: Partial<AgentLimits>;
}

/** The tools of MCP servers, for a caller that lends them to an agent elsewhere. */
export interface McpTools {
  /** Waits until all servers have answered or failed, once and not for long. Aborting ends only the wait. */
  ready(signal: AbortSignal): Promise<void>;
  /** The tools of all servers that are connected now. */
  tools(): readonly LentTool[];
  /** What became of the servers since it was asked last. */
  takeNotices(): readonly SessionNotice[];
  /** Ends all connections, and the processes behind them. Never rejects. */
  close(): Promise<void>;
}

/** One of these tools. */
export interface LentTool {
  /** No two are alike: `mcp__SERVER__TOOL`. */
  readonly name: string;
  /** The title that the user reads. */
  readonly title: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Does not ask for permission. What it throws makes the call failed. */
  call(input: unknown, running: Pick<RunningCall, 'signal' | 'show'>): Promise<ToolOutput>;
}

/**
 * Connects MCP servers in the background; one that fails is a notice, no more.
 *
 * @throws {RpcError} -32602: a server that cannot be started or reached.
 */
export function openMcpTools(servers: readonly McpServer[], options: McpToolsOptions): McpTools {
  checkMcpServers(servers);
  const { environment, cwd } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const open = new SessionServers(servers, { environment, limits, cwd });
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
