import type { McpServer } from '@parley/acp';
import type { ConversationNotice } from '../conversation/conversation-notice.ts';
import type { Clock, Environment } from '../environment.ts';
import { firstCharacters } from '../first-characters.ts';
import type { AgentLimits } from '../limits.ts';
import { withoutSecrets } from '../without-secrets.ts';
import type { McpConnection } from './mcp-connection.ts';
import { toTool, type McpTool } from './mcp-tool.ts';
import { ToolNames } from './tool-names.ts';

/** What the servers of a conversation are connected with. */
export interface ConversationServersOptions {
  readonly environment: Environment;
  readonly limits: AgentLimits;
  readonly cwd: string;
}

interface ServerLink {
  readonly server: McpServer;
  connection?: McpConnection;
  state: 'starting' | 'open' | 'lost';
}

/** The MCP servers of one conversation. They connect in the background; a server that fails is a notice, no more. */
export class ConversationServers {
  readonly #options: ConversationServersOptions;
  readonly #links: readonly ServerLink[];
  readonly #closing = new AbortController();
  #connecting: Promise<void> | undefined;
  #hasWaited = false;
  #notices: ConversationNotice[] = [];

  constructor(servers: readonly McpServer[], options: ConversationServersOptions) {
    const { mcpServers } = options.limits;
    this.#options = options;
    this.#links = servers.slice(0, mcpServers).map((server) => ({ server, state: 'starting' }));
    if (servers.length > mcpServers) {
      this.#addNotice(
        `Only ${String(mcpServers)} MCP servers were started`,
        `The session was given ${String(servers.length)}; the others are left out.`,
      );
    }
  }

  /** Begins to connect, in the background. */
  connect(): void {
    this.#connecting ??= Promise.all(this.#links.map((link) => this.#connectOne(link))).then(() => undefined);
  }

  /** Waits until all servers have answered or failed, once and not for long. Aborting ends only the wait. */
  async ready(signal: AbortSignal): Promise<void> {
    if (this.#hasWaited || this.#connecting === undefined || this.#links.length === 0) return;
    this.#hasWaited = true;
    const { environment, limits } = this.#options;
    await waitAtMost(this.#connecting, limits.mcpReadyMs, { clock: environment.clock, signal });
    for (const { server, state } of this.#links) {
      if (state !== 'starting' || signal.aborted) continue;
      this.#addNotice(
        `The MCP server "${server.name}" is not ready`,
        'Its tools are there from the first turn after it has answered.',
      );
    }
  }

  /** The tools of all servers that are connected now. */
  tools(): readonly McpTool[] {
    const names = new ToolNames();
    const tools = this.#links.flatMap(({ server, connection }) => {
      if (connection?.isOpen !== true) return [];
      return connection.tools.map((info) =>
        toTool(names.take(server.name, info.name), server.name, info, connection),
      );
    });
    return tools.slice(0, this.#options.limits.mcpTools);
  }

  /** The notices about servers since the last call. */
  takeNotices(): readonly ConversationNotice[] {
    for (const link of this.#links) {
      if (link.state !== 'open' || link.connection?.isOpen === true) continue;
      link.state = 'lost';
      this.#addNotice(
        `Lost the connection to the MCP server "${link.server.name}"`,
        'Its tools are not available any more.',
      );
    }
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }

  /** Ends all connections, and the processes behind them. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connecting;
    await Promise.all(
      this.#links.map(async ({ connection }) => {
        await connection?.close();
      }),
    );
  }

  async #connectOne(link: ServerLink): Promise<void> {
    const { environment, limits, cwd } = this.#options;
    const { server } = link;
    try {
      link.connection = await environment.connectMcpServer(server, {
        cwd,
        startMs: limits.mcpStartMs,
        signal: this.#closing.signal,
      });
      link.state = 'open';
    } catch (error) {
      link.state = 'lost';
      const reason = firstCharacters(
        withoutSecrets(messageOf(error), secretsIn(server)).split('\n')[0] ?? '',
        300,
      );
      this.#addNotice(
        `The MCP server "${server.name}" did not start`,
        `${reason}. The session continues without it.`,
      );
    }
  }

  #addNotice(title: string, description: string): void {
    this.#notices.push({ severity: 'warning', title, description });
  }
}

async function waitAtMost(
  work: Promise<void>,
  ms: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const over = new AbortController();
  const timeout = clock.sleep(ms, AbortSignal.any([signal, over.signal])).catch(() => undefined);
  await Promise.race([work, timeout]);
  over.abort();
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.+$/u, '');
}

/**
 * Secrets to redact from messages, which may repeat what was sent: values of the environment, headers and query that
 * the client configured.
 */
function secretsIn(server: McpServer): readonly string[] {
  return server.type === undefined
    ? server.env.map(({ value }) => value)
    : [...server.headers.map(({ value }) => value), ...(server.url.split('?')[1] ?? '').split('&')];
}
