import type { StreamMode } from '../../agent-info.ts';
import type { GetTurnsResponse } from '../../turn.ts';
import { expectTurn, streamTurn } from './answer-turn.ts';
import { invalidRequest, toJson, type Exchange } from './exchange.ts';

/** `GET /sessions/:id/turns`: oldest first. */
export function listTurns({ access, sessions }: Exchange, sessionId: string): Promise<Response> {
  return sessions.use(sessionId, access, async ({ state }) => {
    const answer: GetTurnsResponse = { turns: [...state.turns.values()].map(({ turn }) => turn) };
    return toJson(answer);
  });
}

/** `GET /sessions/:id/turns/:turnId`. */
export function getTurn(
  { access, sessions }: Exchange,
  sessionId: string,
  turnId: string,
): Promise<Response> {
  return sessions.use(sessionId, access, async (session) => toJson(expectTurn(session, turnId).turn));
}

/** `GET /sessions/:id/turns/:turnId/events`: again from the beginning, or from behind `Last-Event-ID` on. */
export function followTurn(exchange: Exchange, sessionId: string, turnId: string): Promise<Response> {
  const { access, sessions, request, url } = exchange;
  return sessions.use(sessionId, access, async (session) => {
    const { stream } = expectTurn(session, turnId);
    const mode = parseMode(url.searchParams.get('stream')) ?? (stream === 'none' ? 'delta' : stream);
    const after = parseEventId(request.headers.get('last-event-id'));
    return streamTurn(exchange, session, { turnId, mode, ...(after !== undefined && { after }) });
  });
}

/**
 * `POST /sessions/:id/turns/:turnId/cancel`: answers when the turn is over. Where it stopped for the application and its calls
 * still wait, they are denied, and the agent is ended.
 */
export function cancelTurn(
  { access, sessions }: Exchange,
  sessionId: string,
  turnId: string,
): Promise<Response> {
  return sessions.use(sessionId, access, async (session) => {
    expectTurn(session, turnId);
    if (session.turn?.turnId === turnId) await session.stop('cancelled');
    else if ([...session.state.turns.keys()].at(-1) === turnId) await session.cancelCalls();
    return toJson(expectTurn(session, turnId).turn);
  });
}

function parseMode(value: string | null): Exclude<StreamMode, 'none'> | undefined {
  if (value === null) return undefined;
  if (value === 'delta' || value === 'message') return value;
  throw invalidRequest('stream: expected delta or message');
}

function parseEventId(value: string | null): number | undefined {
  if (value === null || value === '') return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw invalidRequest('Last-Event-ID: expected the id of an event');
}
