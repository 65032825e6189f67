import type { ClientHandlers, ClientNotificationContext, Extensions } from '@parley/acp';
import { askUser, askUserMethod, parseAskUser } from '../elicitation/ask-user.ts';
import { elicit } from '../elicitation/client-elicitation.ts';
import { readTextFile, writeTextFile } from '../file/client-files.ts';
import type { HostContext } from '../host-context.ts';
import { answerPermission } from '../permission/answer-permission.ts';
import type { SessionCall } from '../session/session-call.ts';
import type { SessionTable } from '../session/session-table.ts';
import {
  createTerminal,
  killTerminal,
  releaseTerminal,
  terminalOutput,
  waitForExit,
} from '../terminal/client-terminals.ts';

/** What an agent may ask of its client, each in the session that it names. */
export function createClientHandlers(sessions: SessionTable, host: HostContext): ClientHandlers {
  const inSession = callsIn(sessions, host);
  return {
    'session/update': ({ sessionId, update: view }, { raw, isLate }) => {
      return sessions.receive({ sessionId, view, raw: updateIn(raw), isLate });
    },
    'session/request_permission': async (params, { signal }) =>
      answerPermission(params, await inSession(params, signal)),
    'fs/read_text_file': async (params, { signal }) => readTextFile(params, await inSession(params, signal)),
    'fs/write_text_file': async (params, { signal }) =>
      writeTextFile(params, await inSession(params, signal)),
    'terminal/create': async (params, { signal }) => createTerminal(params, await inSession(params, signal)),
    'terminal/output': async (params, { signal }) => terminalOutput(params, await inSession(params, signal)),
    'terminal/wait_for_exit': async (params, { signal }) =>
      waitForExit(params, await inSession(params, signal)),
    'terminal/kill': async (params, { signal }) => killTerminal(params, await inSession(params, signal)),
    'terminal/release': async (params, { signal }) =>
      releaseTerminal(params, await inSession(params, signal)),
    'elicitation/create': async (params, { signal }) => {
      if (!('sessionId' in params)) return elicit(params, host, signal);
      const call = await inSession(params, signal);
      return elicit(params, host, call.signal);
    },
  };
}

/** The requests of agents that are not in the protocol. */
export function createClientExtensions(
  sessions: SessionTable,
  host: HostContext,
): Extensions<ClientNotificationContext> {
  const inSession = callsIn(sessions, host);
  return {
    [askUserMethod]: {
      description: 'Asks the user a question',
      handle: async (raw, { signal }) => {
        const params = parseAskUser(raw);
        return askUser(params, await inSession(params, signal));
      },
    },
  };
}

type CallIn = (params: { readonly sessionId: string }, signal: AbortSignal) => Promise<SessionCall>;

function callsIn(sessions: SessionTable, host: HostContext): CallIn {
  return async ({ sessionId }, signal) => {
    const scope = await sessions.find(sessionId);
    return { scope, host, signal: AbortSignal.any([signal, scope.questionSignal]) };
  };
}

/** The update in the params of `session/update`, as it came. */
function updateIn(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'update' in raw ? raw.update : undefined;
}
