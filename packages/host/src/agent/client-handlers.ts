import {
  metaOf,
  type ClientHandlers,
  type ClientNotificationContext,
  type Extensions,
  type OtherExtensions,
} from '@parley/acp';
import type { SessionCall } from '../agent-session/session-call.ts';
import type { SessionTable } from '../agent-session/session-table.ts';
import { subagentHost } from '../agent-session/subagents/subagent-host.ts';
import { Subagent } from '../agent-session/subagents/subagent.ts';
import { storedBefore } from '../event/event-store.ts';
import type { HostContext } from '../host-context.ts';
import { answerPermission } from '../permission/answer-permission.ts';
import { askUser, askUserMethod, parseAskUser } from '../services/elicitation/ask-user.ts';
import { elicit } from '../services/elicitation/elicit.ts';
import { readTextFile, writeTextFile } from '../services/file-requests.ts';
import {
  createTerminal,
  killTerminal,
  releaseTerminal,
  terminalOutput,
  waitForExit,
} from '../services/terminal/terminal-requests.ts';
import type { AgentClients } from './agent-clients.ts';
import type { AgentOptions } from './agent-options.ts';
import { authStatusUpdates, parseAuthStatus } from './unstable/auth-status.ts';
import { mcpMessage, type McpOverAcp } from './unstable/mcp-over-acp.ts';

/** Handlers for an agent's requests, each in the session that it names. */
export function createClientHandlers(
  sessions: SessionTable,
  host: HostContext,
  clients: AgentClients | undefined,
): ClientHandlers {
  const inSession = callsIn(sessions, host);
  return {
    'session/update': ({ sessionId, update: view }, { raw, isLate, isHistory, updateText }) => {
      const update = updateIn(raw);
      return sessions.receive({
        sessionId,
        view,
        raw: update,
        text: updateText,
        isLate,
        isHistory,
        meta: metaOf(raw),
      });
    },
    'session/request_permission': async (params, { signal }) =>
      asking(await inSession(params, signal), async (call) => {
        const act = `tool call ${JSON.stringify(params.toolCall.toolCallId)}`;
        await storedBefore(host.store, act);
        const response = await answerPermission(params, call);
        await storedBefore(host.store, act);
        await host.checkpoints?.beforeWrite(call.signal);
        return response;
      }),
    'fs/read_text_file': async (params, { signal }) =>
      asking(await inSession(params, signal), (call) => readTextFile(params, call)),
    'fs/write_text_file': async (params, { signal }) =>
      asking(await inSession(params, signal), async (call) => {
        await storedBefore(host.store, `write ${JSON.stringify(params.path)}`);
        await host.checkpoints?.beforeWrite(call.signal);
        return writeTextFile(params, call);
      }),
    'terminal/create': async (params, { signal }) =>
      asking(await inSession(params, signal), async (call) => {
        await storedBefore(host.store, `run ${JSON.stringify(params.command)}`);
        return createTerminal(params, call);
      }),
    'terminal/output': async (params, { signal }) => terminalOutput(params, await inSession(params, signal)),
    'terminal/wait_for_exit': async (params, { signal }) =>
      waitForExit(params, await inSession(params, signal)),
    'terminal/kill': async (params, { signal }) => killTerminal(params, await inSession(params, signal)),
    'terminal/release': async (params, { signal }) =>
      releaseTerminal(params, await inSession(params, signal)),
    'elicitation/create': async (params, { signal }) => {
      const resume = sessions.pauseOpening();
      try {
        if (!('sessionId' in params)) return await elicit(params, host, signal);
        return await asking(await inSession(params, signal), (call) =>
          elicit(params, call.host, call.signal),
        );
      } finally {
        resume();
      }
    },
    // It closes nothing here: the client that opened the address may show that it is done.
    'elicitation/complete': (_params, { raw }) => {
      clients?.notify('elicitation/complete', raw);
    },
  };
}

/** The requests of agents that are not in the protocol. */
export function createClientExtensions(
  sessions: SessionTable,
  host: HostContext,
  { mcp, clients }: { readonly mcp: McpOverAcp; readonly clients: AgentClients | undefined },
): Extensions<ClientNotificationContext> {
  const inSession = callsIn(sessions, host);
  return {
    [askUserMethod]: {
      description: 'Asks the user a question',
      handle: async (raw, { signal }) => {
        const params = parseAskUser(raw);
        return asking(await inSession(params, signal), (call) => askUser(params, call));
      },
    },
    [mcpMessage]: {
      description: 'Calls an MCP server of the client',
      handle: (raw, { agent, signal }) =>
        // A client of the session can offer servers itself.
        clients === undefined || mcp.has(raw)
          ? mcp.answer(raw, { agent, signal })
          : clients.request(mcpMessage, raw, signal),
    },
  };
}

/**
 * Handlers for extension requests that neither the protocol nor the host knows: they go to the clients of the
 * session. Sign-in states go to both.
 */
export function toOtherExtensions(
  clients: AgentClients,
  host: HostContext,
  onAuthStatus?: AgentOptions['onAuthStatus'],
): OtherExtensions<ClientNotificationContext> {
  return {
    request: (method, params, { signal }) => clients.request(method, params, signal),
    notify: async (method, params) => {
      clients.notify(method, params);
      if (onAuthStatus === undefined || !authStatusUpdates.has(method)) return;
      const status = await parseAuthStatus(params);
      if (status === undefined) host.diagnose('warning', 'ignored-notification', `${method}: invalid`);
      else onAuthStatus(status);
    },
  };
}

type CallIn = (params: { readonly sessionId: string }, signal: AbortSignal) => Promise<SessionCall>;

function callsIn(sessions: SessionTable, host: HostContext): CallIn {
  return async ({ sessionId }, signal) => {
    const scope = await sessions.find(sessionId);
    scope.heard();
    const served = scope instanceof Subagent ? subagentHost(host, scope) : host;
    // Of a request that comes after the cancellation both are aborted, and the first one says why.
    return { scope, host: served, signal: AbortSignal.any([scope.questionSignal, signal]) };
  };
}

/** Serves a request that may need an answer from the user. */
async function asking<T>(call: SessionCall, serve: (call: SessionCall) => Promise<T>): Promise<T> {
  const endQuestion = call.scope.beginQuestion();
  try {
    return await serve(call);
  } finally {
    endQuestion();
  }
}

/** The unmodified update in the params of `session/update`. */
function updateIn(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'update' in raw ? raw.update : undefined;
}
