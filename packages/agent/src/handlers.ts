import { invalidParams, unknownSession } from '@parley/acp';
import type { AgentHandlers, SetSessionModeResponse } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import { tellNotice } from './client/tell-notice.ts';
import { toTurnClient } from './client/turn-client.ts';
import type { Environment } from './environment.ts';
import type { AgentLimits } from './limits.ts';
import type { Model } from './model/model.ts';
import { modes } from './permission/mode.ts';
import { openSession } from './session/open-session.ts';
import { promptText } from './session/prompt-text.ts';
import type { Session } from './session/session.ts';
import { builtInTools } from './tools/tool-set.ts';
import { runTurn } from './turn/run-turn.ts';
import type { RunningTurns } from './turn/running-turns.ts';

/** What the handlers of one connection work with. */
export interface HandlersOptions {
  readonly environment: Environment;
  readonly model: Model;
  readonly limits: AgentLimits;
  readonly turns: RunningTurns;
}

/** What the agent does on one connection, by method; the sessions belong to it. */
export function createHandlers({ environment, model, limits, turns }: HandlersOptions): AgentHandlers {
  const sessions = new Map<string, Session>();
  const find = (sessionId: string): Session => {
    const session = sessions.get(sessionId);
    // The connection knows which sessions are open; one that is missing here was closed in this moment.
    if (session === undefined) throw unknownSession(sessionId);
    return session;
  };

  return {
    'session/new': async (request) => {
      const session = await openSession(request, { environment, limits, model });
      if (sessions.size >= limits.maxSessions) throw tooManySessions(sessions.size);
      sessions.set(session.id, session);
      return { sessionId: session.id, modes: { currentModeId: session.mode, availableModes: modes } };
    },

    'session/close': ({ sessionId }) => {
      sessions.delete(sessionId);
    },

    'session/set_mode': async ({ sessionId, modeId }, { client }) => {
      const session = find(sessionId);
      if (modeId.trim() === '') throw invalidParams('modeId', 'a text that is not empty');
      session.setMode(modeId);
      await client.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'current_mode_update', currentModeId: modeId },
      });
      return toSetModeResult(modeId);
    },

    'session/prompt': async ({ sessionId, prompt }, context) => {
      const session = find(sessionId);
      const client = toTurnClient(context);
      const stopReason = await turns.run(async () => {
        for (const notice of session.takeNotices()) {
          await tellNotice(context, session.createMessageId(), notice);
        }
        const turn = { session, model, tools: builtInTools, limits, clock: environment.clock, client };
        return await runTurn(turn, promptText(prompt));
      });
      return { stopReason };
    },
  };
}

function tooManySessions(count: number): RpcError {
  return new RpcError(
    rpcCodes.internalError,
    `${String(count)} sessions are open; one has to be closed first`,
  );
}

/** Source document 001, C.10: the id is in the answer, which the protocol's type does not know. */
function toSetModeResult(modeId: string): SetSessionModeResponse {
  const result: SetSessionModeResponse & { readonly modeId: string } = { modeId };
  return result;
}
