import type { AapClient, ReceivedAgentInfo } from '@parley/aap';
import {
  createAgent,
  isAbsolutePath,
  type Agent,
  type NewSessionResponse,
  type PromptResponse,
  type SessionInfo,
} from '@parley/acp';
import { runPrompt } from './run-prompt.ts';
import type { ServerSession } from './server-session.ts';
import { ServerSessions, type ServerSessionsOptions } from './server-sessions.ts';
import { toConfigOptions, toOptionChange } from './session-options.ts';
import { toHistoryUpdates } from './session-updates.ts';
import { refusing } from './to-rpc-error.ts';

/** Options of an ACP agent that is a client of AAP. */
export interface AapAgentOptions extends ServerSessionsOptions {
  /** The directory of sessions whose directory is unknown. Absolute. */
  readonly directory: string;
}

/** An ACP agent that is a client of AAP. */
export interface AapAgent extends Agent {
  /** Settles when no prompt is running: when its client disconnects, running prompts are cancelled on the server. */
  idle(): Promise<void>;
  /** Ends the MCP servers of its clients. */
  close(): Promise<void>;
}

/** The option of an agent that says in which directory it works, where it has one. */
const directoryOption = 'cwd';

/** Serves an agent of an AAP server as an ACP agent. No tool is trusted: every call asks the client. */
export function createAapAgent(
  client: AapClient,
  info: ReceivedAgentInfo,
  { directory, bringTools, ...limits }: AapAgentOptions,
): AapAgent {
  const { history = {}, image = {}, application = {} } = info.capabilities ?? {};
  const bring = application.tools === undefined ? undefined : bringTools;
  const historyType = history.full === undefined ? 'compacted' : 'full';
  const sessions = new ServerSessions(client, info, {
    ...limits,
    ...(bring !== undefined && { bringTools: bring }),
  });
  const prompts = new Set<Promise<PromptResponse>>();

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
        const session = await sessions.begin(params, async () => {
          const { sessionId } = await sessions.whileOpening('POST /sessions', signal, (limited) =>
            refusing(client.createSession({ agent }, { signal: limited })),
          );
          return { sessionId, declared: [], ...(agent.options !== undefined && { options: agent.options }) };
        });
        return { sessionId: session.sessionId, ...settingsOf(session) };
      },

      async 'session/load'(params, { signal, update }) {
        const { sessionId } = params;
        const session = await sessions.openStored(params, signal);
        const messages = await sessions.whileOpening('GET /sessions/:id/history', signal, (limited) =>
          refusing(client.getHistory(sessionId, historyType, { signal: limited }), sessionId),
        );
        for (const message of messages) {
          for (const each of toHistoryUpdates(message, info)) await update(each);
        }
        return settingsOf(session);
      },

      async 'session/resume'(params, { signal }) {
        return settingsOf(await sessions.openStored(params, signal));
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
        await sessions.leave(sessionId);
        return {};
      },

      async 'session/close'({ sessionId }) {
        await sessions.leave(sessionId);
        return {};
      },

      'session/set_config_option'({ sessionId, configId, value }) {
        const session = sessions.expect(sessionId);
        session.change(toOptionChange(info, configId, value));
        return { configOptions: toConfigOptions(info, session.options) };
      },

      async 'session/prompt'({ sessionId, prompt }, context) {
        const running = runPrompt(sessions.expect(sessionId), prompt, { client, info, context });
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
    close: () => sessions.close(),
  };
}

function takesDirectory({ options = [] }: ReceivedAgentInfo, directory: string): boolean {
  return options.some((option) => {
    if (option.type === 'unknown' || option.name !== directoryOption) return false;
    return option.type === 'text' || (option.type === 'select' && option.options.includes(directory));
  });
}
