import { RequestError } from '../request-error.ts';
import { createSession } from './create-session.ts';
import type { Exchange } from './exchange.ts';
import { getHistory } from './history.ts';
import { getMeta } from './meta.ts';
import { deleteSession, getSession, listSessions } from './sessions.ts';
import { startTurn } from './start-turn.ts';
import { cancelTurn, followTurn, getTurn, listTurns } from './turns.ts';

type Answer = (exchange: Exchange, ...ids: string[]) => Response | Promise<Response>;

interface Route {
  /** The ids are groups. */
  readonly path: RegExp;
  readonly methods: Readonly<Record<string, Answer>>;
}

const routes: readonly Route[] = [
  { path: /^\/meta$/, methods: { GET: getMeta } },
  { path: /^\/sessions$/, methods: { GET: listSessions, POST: createSession } },
  { path: /^\/sessions\/([^/]+)$/, methods: { GET: withId(getSession), DELETE: withId(deleteSession) } },
  { path: /^\/sessions\/([^/]+)\/history$/, methods: { GET: withId(getHistory) } },
  { path: /^\/sessions\/([^/]+)\/turns$/, methods: { GET: withId(listTurns), POST: withId(startTurn) } },
  { path: /^\/sessions\/([^/]+)\/turns\/([^/]+)$/, methods: { GET: withIds(getTurn) } },
  { path: /^\/sessions\/([^/]+)\/turns\/([^/]+)\/events$/, methods: { GET: withIds(followTurn) } },
  { path: /^\/sessions\/([^/]+)\/turns\/([^/]+)\/cancel$/, methods: { POST: withIds(cancelTurn) } },
];

/** Answers a request by its path, from the base URL on, and its method. */
export async function answer(exchange: Exchange, path: string): Promise<Response> {
  const { method } = exchange.request;
  for (const route of routes) {
    const ids = route.path.exec(path)?.slice(1);
    if (ids === undefined) continue;
    const handle = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined;
    if (handle === undefined) throw methodNotAllowed(method, Object.keys(route.methods));
    if (method !== 'GET' && exchange.access.isReadOnly === true) {
      throw new RequestError(403, 'forbidden', 'this key may only look');
    }
    return handle(exchange, ...ids);
  }
  throw new RequestError(404, 'not_found', 'there is nothing here');
}

function withId(handle: (exchange: Exchange, sessionId: string) => Promise<Response>): Answer {
  return (exchange, sessionId = '') => handle(exchange, sessionId);
}

function withIds(
  handle: (exchange: Exchange, sessionId: string, turnId: string) => Promise<Response>,
): Answer {
  return (exchange, sessionId = '', turnId = '') => handle(exchange, sessionId, turnId);
}

function methodNotAllowed(method: string, allowed: readonly string[]): RequestError {
  const allow = allowed.join(', ');
  return new RequestError(405, 'method_not_allowed', `${method} is not possible here, but ${allow}`, {
    headers: { allow },
  });
}
