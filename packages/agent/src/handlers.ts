import {
  invalidParams,
  type McpServer,
  type NewSessionResponse,
  type ResumeSessionRequest,
  type SetSessionModeResponse,
  type StopReason,
} from '@parley/acp';
// What is beyond sessions and turns is in the unstable protocol only; all else is the same in both.
import type {
  AgentHandlers,
  ClientPeer,
  McpServer as AnyMcpServer,
  PromptContext,
} from '@parley/acp/unstable';
import { sendNotices } from './client/send-notice.ts';
import { ShownUpdates } from './client/shown-update.ts';
import { toPromptChannel, toTurnClient } from './client/turn-client.ts';
import { toTurnWorkplace } from './client/turn-workplace.ts';
import { availableCommandsUpdate, commands } from './command/commands.ts';
import { findCommand } from './command/find-command.ts';
import { runCommand } from './command/run-command.ts';
import { configOptions, setConfigOption } from './conversation/config-options.ts';
import type { Conversation } from './conversation/conversation.ts';
import type { Conversations } from './conversation/conversations.ts';
import { recordTurn } from './conversation/record/record-turn.ts';
import type { ShowHistory } from './conversation/record/restore-conversation.ts';
import { type ResumeDirective, ResumeOnce } from './conversation/resume-once.ts';
import { configOptionUpdate, currentModeUpdate } from './conversation/setting-updates.ts';
import type { Dialect } from './dialect.ts';
import type { Environment } from './environment.ts';
import type { AgentLimits } from './limits.ts';
import type { Providers } from './model/providers.ts';
import { modes } from './permission/mode.ts';
import { checkPrompt } from './prompt/check-prompt.ts';
import { readPrompt } from './prompt/read-prompt.ts';
import { runSubagent } from './subagent/run-subagent.ts';
import { offerTools } from './tools/tool-set.ts';
import type { ConnectionTurns } from './turn/connection-turns.ts';
import { readInstructionFiles } from './turn/instruction-files.ts';
import { runTurn } from './turn/run-turn.ts';
import type { Turn } from './turn/turn.ts';

/** What the handlers of one connection work with. */
export interface HandlersOptions {
  readonly environment: Environment;
  readonly limits: AgentLimits;
  readonly turns: ConnectionTurns;
  readonly conversations: Conversations;
  /** Where clients can configure them. */
  readonly providers?: Providers;
  /** The client outside of any request. */
  readonly client: () => ClientPeer;
  readonly resume?: ResumeDirective;
  readonly dialect?: Dialect;
}

/** The handlers of a connection, by method; sessions belong to their connection. */
export function createHandlers(options: HandlersOptions): AgentHandlers {
  const { environment, limits, turns, conversations, dialect, providers } = options;
  const resumed = new ResumeOnce(options.resume, conversations);

  return {
    ...(providers !== undefined && {
      'providers/list': async () => ({ providers: await providers.list() }),
      'providers/set': (request) => providers.set(request),
      'providers/disable': ({ providerId }) => providers.disable(providerId),
    }),

    'session/new': async ({ mcpServers, ...others }, context) => {
      const { client } = context;
      const request = { ...others, mcpServers: reachable(mcpServers) };
      // A client that does not know the session yet takes no announcement of its sub-agents.
      const { subagents: _announced, ...capabilities } = client.capabilities;
      const showIn = (sessionId: string): ShowHistory => toShowHistory(sessionId, client, capabilities);
      const conversation = (await resumed.take(request, showIn)) ?? (await conversations.create(request));
      sendCommands(conversation, context);
      return { sessionId: conversation.id, ...toSettings(conversation) };
    },

    'session/load': async (request, context) => {
      const { client } = context;
      const show = toShowHistory(request.sessionId, client, client.capabilities);
      const conversation = await conversations.restore(toResume(request), show);
      sendCommands(conversation, context);
      return toSettings(conversation);
    },

    'session/resume': async (request, context) => {
      const conversation = await conversations.restore(toResume(request));
      sendCommands(conversation, context);
      return toSettings(conversation);
    },

    'session/fork': async (request, context) => {
      const conversation = await conversations.fork(toResume(request));
      sendCommands(conversation, context);
      return { sessionId: conversation.id, ...toSettings(conversation) };
    },

    'session/list': (request) => conversations.list(request),

    'session/close': ({ sessionId }) => conversations.close(sessionId),

    'session/delete': ({ sessionId }) => conversations.remove(sessionId),

    'session/cancel': ({ sessionId }) => conversations.cancelSubagent(sessionId),

    'session/archive': ({ sessionId }) => conversations.stored.archive(sessionId),

    'session/unarchive': ({ sessionId }) => conversations.stored.unarchive(sessionId),

    'session/status': async ({ sessionId }) => ({ status: await conversations.stored.status(sessionId) }),

    'session/set_title': async ({ sessionId, title }) => ({
      title: await conversations.stored.retitle(sessionId, title),
    }),

    // A model without a key is the offline one, which needs none.
    'auth/status': () => ({ state: 'not_required' }),

    'session/set_mode': async ({ sessionId, modeId }, { client }) => {
      const conversation = conversations.find(sessionId);
      if (modeId.trim() === '') throw invalidParams('modeId', 'a text that is not empty');
      const before = conversation.mode;
      conversation.setMode(modeId);
      await client.notify('session/update', { sessionId, update: currentModeUpdate(modeId) });
      if (conversation.mode !== before) await sendConfigOptions(client, conversation);
      return toSetModeResult(modeId);
    },

    'session/set_config_option': async ({ sessionId, configId, value }, { client, raw }) => {
      const conversation = conversations.find(sessionId);
      await setConfigOption(
        conversation,
        { configId, value },
        { raw, ...(dialect !== undefined && { dialect }) },
      );
      if (configId === 'mode') {
        await client.notify('session/update', { sessionId, update: currentModeUpdate(conversation.mode) });
      }
      return { configOptions: configOptions(conversation) };
    },

    'session/prompt': async ({ sessionId, prompt }, context) => {
      const conversation = conversations.find(sessionId);
      checkPrompt(prompt, limits);
      const command = findCommand(prompt, commands);
      const run = async (): Promise<StopReason> => {
        if (command === undefined) await conversation.servers.ready(context.signal);
        await sendNotices(conversation, context);
        const shown = new ShownUpdates(context.client.capabilities);
        const channel = toPromptChannel(context, shown);
        const client = toTurnClient(channel, conversation.recorder);
        const sandbox =
          command === undefined && conversation.mode === 'workspace-write'
            ? await conversation.sandbox.find()
            : undefined;
        const turn: Turn = {
          conversation,
          workplace: toTurnWorkplace(conversation.workplace, channel, options.client(), sandbox),
          offerTools: () => offerTools(conversation),
          limits,
          clock: environment.clock,
          client,
          instructionFiles: command === undefined ? await readInstructionFiles(conversation, client) : [],
          runSubagent: (task, show) =>
            runSubagent(task, { parent: turn, channel, shown, client: options.client(), show }),
          ...(dialect !== undefined && { dialect }),
        };
        return command === undefined
          ? await runTurn(turn, await readPrompt(turn, prompt))
          : await runCommand(turn, command);
      };
      const beginning = { prompt, isCommand: command !== undefined, context };
      return { stopReason: await turns.run(() => recordTurn(conversation, beginning, run)) };
    },
  };
}

/** Some clients drop updates of sessions they do not know yet: the commands are sent after the answer. */
function sendCommands(
  { id: sessionId }: Conversation,
  { client, afterAnswer }: Pick<PromptContext, 'client' | 'afterAnswer'>,
): void {
  afterAnswer(() => client.notify('session/update', { sessionId, update: availableCommandsUpdate() }));
}

/** What `session/load`, `resume` and `fork` have in common. */
function toResume({
  sessionId,
  cwd,
  additionalDirectories,
  mcpServers,
}: {
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly AnyMcpServer[];
}): ResumeSessionRequest {
  return {
    sessionId,
    cwd,
    ...(additionalDirectories !== undefined && { additionalDirectories }),
    ...(mcpServers !== undefined && { mcpServers: reachable(mcpServers) }),
  };
}

/** Servers at the client are not declared, and so they do not come; only the types of the unstable protocol know them. */
function reachable(servers: readonly AnyMcpServer[]): McpServer[] {
  return servers.filter((server) => server.type !== 'acp');
}

/** A session's settings as a client sees them, for new and stored sessions. */
function toSettings(conversation: Conversation): Pick<NewSessionResponse, 'modes' | 'configOptions'> {
  return {
    modes: { currentModeId: conversation.mode, availableModes: modes },
    configOptions: configOptions(conversation),
  };
}

/** Sends the client a setting that changed by another way than `session/set_config_option`. */
export async function sendConfigOptions(client: ClientPeer, conversation: Conversation): Promise<void> {
  await client.notify('session/update', {
    sessionId: conversation.id,
    update: configOptionUpdate(conversation),
  });
}

/** Source document 001, C.10: the id is in the answer, which the protocol's type does not know. */
function toSetModeResult(modeId: string): SetSessionModeResponse {
  const result: SetSessionModeResponse & { readonly modeId: string } = { modeId };
  return result;
}

/** Sends a client the history of a session, as it takes it. */
function toShowHistory(
  sessionId: string,
  client: ClientPeer,
  capabilities: ClientPeer['capabilities'],
): ShowHistory {
  const shown = new ShownUpdates(capabilities);
  return async (update, subagent) => {
    const it = shown.of(update, subagent);
    if (it === undefined) return;
    await client.notify('session/update', { sessionId: it.subagent ?? sessionId, update: it.update });
  };
}
