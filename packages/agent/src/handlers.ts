import {
  invalidParams,
  type McpServer,
  type NewSessionResponse,
  type ResumeSessionRequest,
  type SessionUpdate,
  type SetSessionModeResponse,
  type StopReason,
} from '@parley/acp';
// `session/fork` is in the unstable protocol only; all else is the same in both.
import type {
  AgentHandlers,
  ClientPeer,
  McpServer as AnyMcpServer,
  PromptContext,
} from '@parley/acp/unstable';
import { createClientFiles } from './client/client-files.ts';
import { sendNotices } from './client/send-notice.ts';
import { toShownUpdate } from './client/shown-update.ts';
import { createTerminalRunner } from './client/terminal-runner.ts';
import { toTurnClient } from './client/turn-client.ts';
import { availableCommandsUpdate, commands } from './command/commands.ts';
import { findCommand } from './command/find-command.ts';
import { runCommand } from './command/run-command.ts';
import type { Dialect } from './dialect.ts';
import type { Environment } from './environment.ts';
import type { AgentLimits } from './limits.ts';
import { modes } from './permission/mode.ts';
import { checkPrompt } from './prompt/check-prompt.ts';
import { readPrompt } from './prompt/read-prompt.ts';
import { configOptions, setConfigOption } from './session/config-options.ts';
import { recordTurn } from './session/record/record-turn.ts';
import { type ResumeDirective, ResumeOnce } from './session/resume-once.ts';
import type { Session } from './session/session.ts';
import type { Sessions } from './session/sessions.ts';
import { configOptionUpdate, currentModeUpdate } from './session/setting-updates.ts';
import { offerTools } from './tools/tool-set.ts';
import type { Workplace } from './tools/tool.ts';
import { readInstructionFiles } from './turn/instruction-files.ts';
import { runTurn } from './turn/run-turn.ts';
import type { RunningTurns } from './turn/running-turns.ts';

/** What the handlers of one connection work with. */
export interface HandlersOptions {
  readonly environment: Environment;
  readonly limits: AgentLimits;
  readonly turns: RunningTurns;
  readonly sessions: Sessions;
  /** The client outside of any request. */
  readonly client: () => ClientPeer;
  readonly resume?: ResumeDirective;
  readonly dialect?: Dialect;
}

/** What the agent does on one connection, by method; the sessions belong to it. */
export function createHandlers(options: HandlersOptions): AgentHandlers {
  const { environment, limits, turns, sessions, dialect } = options;
  const resumed = new ResumeOnce(options.resume, sessions);

  return {
    'session/new': async ({ mcpServers, ...others }, context) => {
      const { client } = context;
      const request = { ...others, mcpServers: reachable(mcpServers) };
      const show = async (sessionId: string, update: SessionUpdate): Promise<void> => {
        const shown = toShownUpdate(update, client.capabilities);
        if (shown !== undefined) await client.notify('session/update', { sessionId, update: shown });
      };
      const session = (await resumed.take(request, show)) ?? (await sessions.create(request));
      sendCommands(session, context);
      return { sessionId: session.id, ...toSettings(session) };
    },

    'session/load': async (request, context) => {
      const session = await sessions.restore(toResume(request), async (update) => {
        const shown = toShownUpdate(update, context.client.capabilities);
        if (shown !== undefined) await context.update(shown);
      });
      sendCommands(session, context);
      return toSettings(session);
    },

    'session/resume': async (request, context) => {
      const session = await sessions.restore(toResume(request));
      sendCommands(session, context);
      return toSettings(session);
    },

    'session/fork': async (request, context) => {
      const session = await sessions.fork(toResume(request));
      sendCommands(session, context);
      return { sessionId: session.id, ...toSettings(session) };
    },

    'session/list': (request) => sessions.list(request),

    'session/close': ({ sessionId }) => sessions.close(sessionId),

    'session/delete': ({ sessionId }) => sessions.remove(sessionId),

    'session/set_mode': async ({ sessionId, modeId }, { client }) => {
      const session = sessions.find(sessionId);
      if (modeId.trim() === '') throw invalidParams('modeId', 'a text that is not empty');
      const before = session.mode;
      session.setMode(modeId);
      await client.notify('session/update', { sessionId, update: currentModeUpdate(modeId) });
      if (session.mode !== before) await sendConfigOptions(client, session);
      return toSetModeResult(modeId);
    },

    'session/set_config_option': async ({ sessionId, configId, value }, { client, raw }) => {
      const session = sessions.find(sessionId);
      await setConfigOption(session, { configId, value }, { raw, ...(dialect !== undefined && { dialect }) });
      if (configId === 'mode') {
        await client.notify('session/update', { sessionId, update: currentModeUpdate(session.mode) });
      }
      return { configOptions: configOptions(session) };
    },

    'session/prompt': async ({ sessionId, prompt }, context) => {
      const session = sessions.find(sessionId);
      checkPrompt(prompt, limits);
      const command = findCommand(prompt, commands);
      const run = async (): Promise<StopReason> => {
        if (command === undefined) await session.servers.ready(context.signal);
        await sendNotices(session, context);
        const client = toTurnClient(context, session.recorder);
        const turn = {
          session,
          workplace: toTurnWorkplace(session.workplace, context, options.client()),
          offerTools: () => offerTools(session),
          limits,
          clock: environment.clock,
          client,
          instructionFiles: command === undefined ? await readInstructionFiles(session, client) : [],
          ...(dialect !== undefined && { dialect }),
        };
        return command === undefined
          ? await runTurn(turn, await readPrompt(turn, prompt))
          : await runCommand(turn, command);
      };
      const beginning = { prompt, isCommand: command !== undefined, context };
      return { stopReason: await turns.run(() => recordTurn(session, beginning, run)) };
    },
  };
}

/** Some clients drop updates of sessions they do not know yet: the commands are sent after the answer. */
function sendCommands(
  { id: sessionId }: Session,
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
function toSettings(session: Session): Pick<NewSessionResponse, 'modes' | 'configOptions'> {
  return {
    modes: { currentModeId: session.mode, availableModes: modes },
    configOptions: configOptions(session),
  };
}

/** Sends the client a setting that changed by another way than `session/set_config_option`. */
export async function sendConfigOptions(client: ClientPeer, session: Session): Promise<void> {
  await client.notify('session/update', {
    sessionId: session.id,
    update: configOptionUpdate(session),
  });
}

/** Source document 001, C.10: the id is in the answer, which the protocol's type does not know. */
function toSetModeResult(modeId: string): SetSessionModeResponse {
  const result: SetSessionModeResponse & { readonly modeId: string } = { modeId };
  return result;
}

/**
 * Where the tools of one turn work: in the session's workplace, but through the client what it offers to do.
 *
 * @param client The client outside of any request, for what a cancelled turn leaves behind.
 */
function toTurnWorkplace(workplace: Workplace, context: PromptContext, client: ClientPeer): Workplace {
  const files = createClientFiles(workplace, context);
  if (client.capabilities.terminal !== true) return { ...workplace, files };
  const home = { sessionId: context.sessionId, client, endMs: workplace.limits.terminalEndMs };
  return { ...workplace, files, commands: createTerminalRunner(workplace, home) };
}
