import type { GetSessionsResponse, SessionStatus } from '../../endpoint.ts';
import { RequestError } from '../request-error.ts';
import { toHead, toSessionInfo, type AapSessionHead } from '../session/aap-session-head.ts';
import { invalidRequest, toJson, type Exchange } from './exchange.ts';

interface Listed {
  readonly sessionId: string;
  readonly head: AapSessionHead;
}

/** Where a page ended. */
type Position = Pick<Listed, 'sessionId'> & Pick<AapSessionHead, 'createdAt'>;

/** `GET /sessions`: newest first. */
export async function listSessions({ url, context, access, sessions }: Exchange): Promise<Response> {
  const { searchParams } = url;
  const after = searchParams.get('after');
  const position = after === null ? undefined : parseCursor(after);
  const limit = parseLimit(searchParams.get('limit'), context.limits);
  const agent = searchParams.get('agent');
  const status = parseStatus(searchParams.get('status'));
  let page: Listed[] = [];
  for await (const { sessionId, head } of sessions.heads(access)) {
    if (agent !== null && head.agent.name !== agent) continue;
    if (status !== undefined && head.status !== status) continue;
    const listed = { sessionId, head };
    if (position !== undefined && compare(toPosition(listed), position) <= 0) continue;
    page.push(listed);
    if (page.length >= 4 * (limit + 1)) page = firstOf(page, limit + 1);
  }
  const found = firstOf(page, limit + 1);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const answer: GetSessionsResponse = {
    sessions: shown.map(({ sessionId, head }) => toSessionInfo(sessionId, head)),
    ...(found.length > limit && last !== undefined && { next: toCursor(toPosition(last)) }),
  };
  return toJson(answer);
}

/** `GET /sessions/:id`. */
export function getSession({ access, sessions }: Exchange, sessionId: string): Promise<Response> {
  return sessions.use(sessionId, access, async ({ state }) => {
    const pending = state.waitingCalls.map(({ call }) => call);
    return toJson({
      ...toSessionInfo(sessionId, toHead(state)),
      ...(pending.length > 0 && { pendingToolCalls: pending }),
    });
  });
}

/** `DELETE /sessions/:id`. */
export async function deleteSession({ access, sessions }: Exchange, sessionId: string): Promise<Response> {
  await sessions.delete(sessionId, access);
  return new Response(null, { status: 204 });
}

function firstOf(list: readonly Listed[], count: number): Listed[] {
  return list.toSorted((a, b) => compare(toPosition(a), toPosition(b))).slice(0, count);
}

function toPosition({ sessionId, head }: Listed): Position {
  return { sessionId, createdAt: head.createdAt };
}

/** Newest first; those of one moment by their ids. */
function compare(a: Position, b: Position): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  if (a.sessionId === b.sessionId) return 0;
  return a.sessionId < b.sessionId ? -1 : 1;
}

function toCursor({ createdAt, sessionId }: Position): string {
  return btoa(`${createdAt} ${sessionId}`).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
}

function parseCursor(cursor: string): Position {
  const [, createdAt, sessionId] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\w-]+)$/.exec(fromBase64(cursor)) ?? [];
  if (createdAt !== undefined && sessionId !== undefined) return { createdAt, sessionId };
  throw new RequestError(400, 'invalid_cursor', 'after: expected the value of "next" from an earlier page');
}

function fromBase64(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

function parseLimit(
  value: string | null,
  { listedSessions, maxListedSessions }: Exchange['context']['limits'],
): number {
  if (value === null) return listedSessions;
  if (!/^[1-9]\d{0,5}$/.test(value)) throw invalidRequest('limit: expected a whole number above 0');
  return Math.min(Number(value), maxListedSessions);
}

function parseStatus(value: string | null): SessionStatus | undefined {
  if (value === null) return undefined;
  if (value === 'idle' || value === 'running' || value === 'waiting') return value;
  throw invalidRequest('status: expected idle, running or waiting');
}
