import type { AapClient, ReceivedAgentInfo } from '@parley/aap';
import {
  createAgent,
  isAbsolutePath,
  unknownSession,
  type Agent,
  type McpServer,
  type NewSessionResponse,
  type PromptResponse,
  type SessionInfo,
} from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import type { BringTools, BroughtNotice } from './brought-tools.ts';
import { runPrompt } from './run-prompt.ts';
import { ServerSession, type ServerSessionOptions } from './server-session.ts';
import { toConfigOptions, toOptionChange } from './session-options.ts';
import { toHistoryUpdates } from './session-updates.ts';
import { refusing } from './to-rpc-error.ts';

/** Options of an ACP agent that is a client of AAP. */
export interface AapAgentOptions {
  /** The directory of sessions whose directory is unknown. Absolute. */
  readonly directory: string;
  /** Connects the MCP servers of clients. @default they are ignored */
  readonly bringTools?: BringTools;
  /** Time limit for each response of the server while a session is opened. @default 120000 */
  readonly openTimeoutMs?: number;
  /** Receives a description of each request of a client that is not supported, for a log. */
  readonly onWarning?: (message: string) => void;
}

/** An ACP agent that is a client of AAP. */
export interface AapAgent extends Agent {
  /** Settles when no prompt is running: when its client disconnects, running prompts are cancelled on the server. */
  idle(): Promise<void>;
  /** Ends the MCP servers of its clients. */
  close(): Promise<void>;
}

/** Default time limit for opening a session. */
const defaultOpenTimeoutMs = 120_000;

/** The option of an agent that says in which directory it works, where it has one. */
const directoryOption = 'cwd';

/** Serves an agent of an AAP server as an ACP agent. No tool is trusted: every call asks the client. */
export function createAapAgent(
  client: AapClient,
  info: ReceivedAgentInfo,
  { directory, bringTools, onWarning, openTimeoutMs = defaultOpenTimeoutMs }: AapAgentOptions,
): AapAgent {
  const { history = {}, image = {}, application = {} } = info.capabilities ?? {};
  const bring = application.tools === undefined ? undefined : bringTools;
  const historyType = history.full === undefined ? 'compacted' : 'full';
  const sessions = new Map<string, ServerSession>();
  const prompts = new Set<Promise<PromptResponse>>();

  /** Opens a session with the MCP servers of the client, and closes them if that fails. */
  const begin = async (
    { cwd, mcpServers = [] }: { readonly cwd: string; readonly mcpServers?: readonly McpServer[] },
    open: () => Promise<ServerSessionOptions & { readonly sessionId: string }>,
  ): Promise<ServerSession> => {
    const tools = mcpServers.length === 0 ? undefined : bring?.(mcpServers, { cwd });
    const isLeftOut = mcpServers.length > 0 && tools === undefined;
    if (isLeftOut) onWarning?.(`${notUsed.title}. ${notUsed.description}`);
    try {
      const { sessionId, ...options } = await open();
      const session = new ServerSession(sessionId, {
        ...options,
        ...(tools !== undefined && { tools }),
        ...(isLeftOut && { notices: [notUsed] }),
      });
      await sessions.get(sessionId)?.close();
      sessions.set(sessionId, session);
      return session;
    } catch (error) {
      await tools?.close();
      throw error;
    }
  };

  /** Applies the time limit for opening a session. */
  const whileOpening = async <T>(
    what: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const limit = AbortSignal.timeout(openTimeoutMs);
    try {
      return await ask(AbortSignal.any([signal, limit]));
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error;
      throw new RpcError(rpcCodes.internalError, `${what}: no answer from the server in ${openTimeoutMs} ms`);
    }
  };

  const openStored = (
    { sessionId, ...params }: { readonly sessionId: string } & Parameters<typeof begin>[0],
    signal: AbortSignal,
  ): Promise<ServerSession> =>
    begin(params, async () => {
      const { agent } = await whileOpening('GET /sessions/:id', signal, (limited) =>
        refusing(client.getSession(sessionId, { signal: limited }), sessionId),
      );
      if (agent.name !== info.name) throw unknownSession(sessionId);
      return { sessionId, ...(agent.options !== undefined && { options: agent.options }) };
    });

  const leave = async (sessionId: string): Promise<void> => {
    const session = sessions.get(sessionId);
    sessions.delete(sessionId);
    await session?.close();
  };

  const expectSession = (sessionId: string): ServerSession => {
    const session = sessions.get(sessionId);
    if (session === undefined) throw unknownSession(sessionId);
    return session;
  };

  const settingsOf = ({ options }: ServerSession): Pick<NewSessionResponse, 'configOptions'> => {
    const configOptions = toConfigOptions(info, options);
    return configOptions.length === 0 ? {} : { configOptions };
  };

  const proxy = createAgent({
    info: { name: info.name, version: info.version, ...(info.title !== undefined && { title: info.title }) },
    capabilities: {
      loadSession: history[historyType] !== undefined,
      promptCapabilities: { image: image.data !== undefined },
      ...(bring !== undefined && { mcpCapabilities: { http: true, sse: true } }),
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
    },
    handlers: {
      async 'session/new'(params, { signal }) {
        const { cwd } = params;
        const isPlaced = takesDirectory(info, cwd);
        const agent = {
          name: info.name,
          ...(info.tools !== undefined && { tools: info.tools.map(({ name }) => ({ name })) }),
          ...(isPlaced && { options: { [directoryOption]: cwd } }),
        };
        const session = await begin(params, async () => {
          const { sessionId } = await whileOpening('POST /sessions', signal, (limited) =>
            refusing(client.createSession({ agent }, { signal: limited })),
          );
          return { sessionId, declared: [], ...(agent.options !== undefined && { options: agent.options }) };
        });
        return { sessionId: session.sessionId, ...settingsOf(session) };
      },

      async 'session/load'(params, { signal, update }) {
        const { sessionId } = params;
        const session = await openStored(params, signal);
        const messages = await whileOpening('GET /sessions/:id/history', signal, (limited) =>
          refusing(client.getHistory(sessionId, historyType, { signal: limited }), sessionId),
        );
        for (const message of messages) {
          for (const each of toHistoryUpdates(message, info)) await update(each);
        }
        return settingsOf(session);
      },

      async 'session/resume'(params, { signal }) {
        return settingsOf(await openStored(params, signal));
      },

      async 'session/list'({ cwd = directory, cursor }, { signal }) {
        const query = { agent: info.name, ...(cursor !== undefined && { after: cursor }) };
        const { sessions: page, next } = await refusing(client.getSessions(query, { signal }));
        return {
          sessions: page
            .filter(({ agent }) => agent.name === info.name)
            .map(({ sessionId, agent, title, updatedAt }): SessionInfo => {
              const place = agent.options?.[directoryOption] ?? '';
              return {
                sessionId,
                cwd: isAbsolutePath(place) ? place : cwd,
                ...(title !== undefined && { title }),
                ...(updatedAt !== undefined && { updatedAt }),
              };
            }),
          ...(next !== undefined && { nextCursor: next }),
        };
      },

      async 'session/delete'({ sessionId }, { signal }) {
        await refusing(client.deleteSession(sessionId, { signal }), sessionId);
        await leave(sessionId);
        return {};
      },

      async 'session/close'({ sessionId }) {
        await leave(sessionId);
        return {};
      },

      'session/set_config_option'({ sessionId, configId, value }) {
        const session = expectSession(sessionId);
        session.change(toOptionChange(info, configId, value));
        return { configOptions: toConfigOptions(info, session.options) };
      },

      async 'session/prompt'({ sessionId, prompt }, context) {
        const running = runPrompt(expectSession(sessionId), prompt, { client, info, context });
        prompts.add(running);
        try {
          return await running;
        } finally {
          prompts.delete(running);
        }
      },
    },
  });
  return {
    ...proxy,
    idle: async () => void (await Promise.allSettled(prompts)),
    close: async () => {
      await Promise.all([...sessions.keys()].map(leave));
    },
  };
}

const notUsed: BroughtNotice = {
  severity: 'warning',
  title: 'The MCP servers of the client are not used',
  description: 'The agent of the server does not accept tools of clients.',
};

function takesDirectory({ options = [] }: ReceivedAgentInfo, directory: string): boolean {
  return options.some((option) => {
    if (option.type === 'unknown' || option.name !== directoryOption) return false;
    return option.type === 'text' || (option.type === 'select' && option.options.includes(directory));
  });
}
