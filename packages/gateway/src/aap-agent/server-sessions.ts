import type { AapClient, ReceivedAgentInfo } from '@parley/aap';
import { unknownSession, type McpServer } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import type { BringTools, BroughtNotice } from './brought-tools.ts';
import { ServerSession, type ServerSessionOptions } from './server-session.ts';
import { refusing } from './to-rpc-error.ts';

/** Default time limit for opening a session. */
const defaultOpenTimeoutMs = 120_000;

/** How sessions of a server are opened. */
export interface ServerSessionsOptions {
  /** Connects the MCP servers of clients. @default they are ignored */
  readonly bringTools?: BringTools;
  /** Time limit for each response of the server while a session is opened. @default 120000 */
  readonly openTimeoutMs?: number;
  /** Receives a description of each request of a client that is not supported, for a log. */
  readonly onWarning?: (message: string) => void;
}

/** What a client opens a session with. */
export interface OpenedWith {
  readonly cwd: string;
  readonly mcpServers?: readonly McpServer[];
}

/** The sessions of an agent of an AAP server that are open here. */
export class ServerSessions {
  readonly #client: AapClient;
  readonly #info: ReceivedAgentInfo;
  readonly #options: ServerSessionsOptions;
  readonly #open = new Map<string, ServerSession>();

  constructor(client: AapClient, info: ReceivedAgentInfo, options: ServerSessionsOptions) {
    this.#client = client;
    this.#info = info;
    this.#options = options;
  }

  /** @throws {RpcError} -32002: it is not open. */
  expect(sessionId: string): ServerSession {
    const session = this.#open.get(sessionId);
    if (session === undefined) throw unknownSession(sessionId);
    return session;
  }

  /** Opens a session with the MCP servers of the client, and closes them if that fails. */
  async begin(
    { cwd, mcpServers = [] }: OpenedWith,
    open: () => Promise<ServerSessionOptions & { readonly sessionId: string }>,
  ): Promise<ServerSession> {
    const { bringTools, onWarning } = this.#options;
    const tools = mcpServers.length === 0 ? undefined : bringTools?.(mcpServers, { cwd });
    const isLeftOut = mcpServers.length > 0 && tools === undefined;
    if (isLeftOut) onWarning?.(`${notUsed.title}. ${notUsed.description}`);
    try {
      const { sessionId, ...options } = await open();
      const session = new ServerSession(sessionId, {
        ...options,
        ...(tools !== undefined && { tools }),
        ...(isLeftOut && { notices: [notUsed] }),
      });
      await this.#open.get(sessionId)?.close();
      this.#open.set(sessionId, session);
      return session;
    } catch (error) {
      await tools?.close();
      throw error;
    }
  }

  /** Opens a session that the server has. @throws {RpcError} -32002: it has none, or it is another agent's. */
  openStored(
    { sessionId, ...params }: OpenedWith & { readonly sessionId: string },
    signal: AbortSignal,
  ): Promise<ServerSession> {
    return this.begin(params, async () => {
      const { agent } = await this.whileOpening('GET /sessions/:id', signal, (limited) =>
        refusing(this.#client.getSession(sessionId, { signal: limited }), sessionId),
      );
      if (agent.name !== this.#info.name) throw unknownSession(sessionId);
      return { sessionId, ...(agent.options !== undefined && { options: agent.options }) };
    });
  }

  /** Applies the time limit for opening a session. */
  async whileOpening<T>(
    what: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { openTimeoutMs = defaultOpenTimeoutMs } = this.#options;
    const limit = AbortSignal.timeout(openTimeoutMs);
    try {
      return await ask(AbortSignal.any([signal, limit]));
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error;
      throw new RpcError(rpcCodes.internalError, `${what}: no answer from the server in ${openTimeoutMs} ms`);
    }
  }

  /** Ends the MCP servers of a session, which stays on the server. */
  async leave(sessionId: string): Promise<void> {
    const session = this.#open.get(sessionId);
    this.#open.delete(sessionId);
    await session?.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((sessionId) => this.leave(sessionId)));
  }
}

const notUsed: BroughtNotice = {
  severity: 'warning',
  title: 'The MCP servers of the client are not used',
  description: 'The agent of the server does not accept tools of clients.',
};
