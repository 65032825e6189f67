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
import { ProxiedSession } from './proxied-session.ts';
import { runPrompt } from './run-prompt.ts';
import { toConfigOptions, toOptionChange } from './session-options.ts';
import { toHistoryUpdates } from './session-updates.ts';
import { refusing } from './to-rpc-error.ts';

/** What an agent behind AAP does not know of its clients. */
export interface AapAgentOptions {
  /** Where sessions are said to be whose place is not known. Absolute. */
  readonly directory: string;
  /** Something that a client asked for is not possible, in words for a log. */
  readonly onWarning?: (message: string) => void;
}

/** Such an agent. */
export interface AapAgent extends Agent {
  /** Settles when no prompt runs: once its client is gone, what ran is cancelled at the server. */
  idle(): Promise<void>;
}

/** The option of an agent that says in which directory it works, where it has one. */
const directoryOption = 'cwd';

/** An agent of a server of AAP as an agent of ACP. None of its tools is trusted: each call asks the client. */
export function createAapAgent(
  client: AapClient,
  info: ReceivedAgentInfo,
  { directory, onWarning }: AapAgentOptions,
): AapAgent {
  const { history = {}, image = {} } = info.capabilities ?? {};
  const historyType = history.full === undefined ? 'compacted' : 'full';
  const sessions = new Map<string, ProxiedSession>();
  const prompts = new Set<Promise<PromptResponse>>();

  const warnOfServers = (servers: readonly McpServer[] = []): void => {
    if (servers.length > 0) onWarning?.('the MCP servers of a client are not used by an agent behind AAP');
  };

  const takeUp = async (sessionId: string, signal: AbortSignal): Promise<ProxiedSession> => {
    const { agent } = await refusing(client.getSession(sessionId, { signal }), sessionId);
    if (agent.name !== info.name) throw unknownSession(sessionId);
    const session = new ProxiedSession(sessionId, agent.options);
    sessions.set(sessionId, session);
    return session;
  };

  const expectSession = (sessionId: string): ProxiedSession => {
    const session = sessions.get(sessionId);
    if (session === undefined) throw unknownSession(sessionId);
    return session;
  };

  const settingsOf = ({ options }: ProxiedSession): Pick<NewSessionResponse, 'configOptions'> => {
    const configOptions = toConfigOptions(info, options);
    return configOptions.length === 0 ? {} : { configOptions };
  };

  const proxy = createAgent({
    info: { name: info.name, version: info.version, ...(info.title !== undefined && { title: info.title }) },
    capabilities: {
      loadSession: history[historyType] !== undefined,
      promptCapabilities: { image: image.data !== undefined },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
    },
    handlers: {
      async 'session/new'({ cwd, mcpServers }, { signal }) {
        warnOfServers(mcpServers);
        const isPlaced = takesDirectory(info, cwd);
        const agent = {
          name: info.name,
          ...(info.tools !== undefined && { tools: info.tools.map(({ name }) => ({ name })) }),
          ...(isPlaced && { options: { [directoryOption]: cwd } }),
        };
        const { sessionId } = await refusing(client.createSession({ agent }, { signal }));
        const session = new ProxiedSession(sessionId, agent.options);
        sessions.set(sessionId, session);
        return { sessionId, ...settingsOf(session) };
      },

      async 'session/load'({ sessionId, mcpServers }, { signal, update }) {
        warnOfServers(mcpServers);
        const session = await takeUp(sessionId, signal);
        const messages = await refusing(client.getHistory(sessionId, historyType, { signal }), sessionId);
        for (const message of messages) {
          for (const each of toHistoryUpdates(message, info)) await update(each);
        }
        return settingsOf(session);
      },

      async 'session/resume'({ sessionId, mcpServers }, { signal }) {
        warnOfServers(mcpServers);
        return settingsOf(await takeUp(sessionId, signal));
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
        sessions.delete(sessionId);
        return {};
      },

      'session/close'({ sessionId }) {
        sessions.delete(sessionId);
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
  return { ...proxy, idle: async () => void (await Promise.allSettled(prompts)) };
}

function takesDirectory({ options = [] }: ReceivedAgentInfo, directory: string): boolean {
  return options.some((option) => {
    if (option.type === 'unknown' || option.name !== directoryOption) return false;
    return option.type === 'text' || (option.type === 'select' && option.options.includes(directory));
  });
}
