import { RequestError } from '../request-error.ts';
import { createSession } from './create-session.ts';
import { eventStreamType, expectAccepted, jsonType, type Exchange } from './exchange.ts';
import { getHistory } from './history.ts';
import { getMeta } from './meta.ts';
import { deleteSession, getSession, listSessions } from './sessions.ts';
import { startTurn } from './start-turn.ts';
import { cancelTurn, followTurn, getTurn, listTurns } from './turns.ts';

type Answer = (exchange: Exchange, ...ids: string[]) => Response | Promise<Response>;

interface Route {
  /** As OpenAPI writes it, from the base URL on. */
  readonly path: string;
  readonly methods: Readonly<Record<string, Answer>>;
}

const routes: readonly Route[] = [
  { path: '/meta', methods: { GET: inJson(getMeta) } },
  { path: '/sessions', methods: { GET: inJson(listSessions), POST: inJson(createSession) } },
  {
    path: '/sessions/{sessionId}',
    methods: { GET: inJson(withId(getSession)), DELETE: withId(deleteSession) },
  },
  { path: '/sessions/{sessionId}/history', methods: { GET: inJson(withId(getHistory)) } },
  {
    path: '/sessions/{sessionId}/turns',
    // What the answer to a turn is, its body says.
    methods: { GET: inJson(withId(listTurns)), POST: withId(startTurn) },
  },
  { path: '/sessions/{sessionId}/turns/{turnId}', methods: { GET: inJson(withIds(getTurn)) } },
  {
    path: '/sessions/{sessionId}/turns/{turnId}/events',
    methods: { GET: inEvents(withIds(followTurn)) },
  },
  {
    path: '/sessions/{sessionId}/turns/{turnId}/cancel',
    methods: { POST: inJson(withIds(cancelTurn)) },
  },
];

/** What a server answers: `GET /sessions/{sessionId}` and the like. */
export const endpoints: readonly string[] = routes.flatMap(({ path, methods }) =>
  Object.keys(methods).map((method) => `${method} ${path}`),
);

/** The ids of a path are groups. */
const matchers = routes.map(({ path, methods }) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
  methods,
}));

/** Answers a request by its path, from the base URL on, and its method. */
export async function answer(exchange: Exchange, path: string): Promise<Response> {
  const { request, access } = exchange;
  // What reads may be asked for its head alone; the HTTP server omits the body.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  for (const route of matchers) {
    const ids = route.pattern.exec(path)?.slice(1);
    if (ids === undefined) continue;
    const handle = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined;
    if (handle === undefined) throw methodNotAllowed(request.method, Object.keys(route.methods));
    if (method !== 'GET' && access.isReadOnly === true) {
      throw new RequestError(403, 'forbidden', 'this key is read-only');
    }
    return handle(exchange, ...ids);
  }
  throw new RequestError(404, 'not_found', 'no such path');
}

function inJson(handle: Answer): Answer {
  return answering(jsonType, handle);
}

function inEvents(handle: Answer): Answer {
  return answering(eventStreamType, handle);
}

function answering(type: string, handle: Answer): Answer {
  return (exchange, ...ids) => {
    expectAccepted(exchange, type);
    return handle(exchange, ...ids);
  };
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
  const allow = allowed.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])).join(', ');
  return new RequestError(405, 'method_not_allowed', `${method} is not possible here, but ${allow}`, {
    headers: { allow },
  });
}
