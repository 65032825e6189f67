import { acceptsType } from '@parley/wire';
import type { AgentInfo } from '../../agent-info.ts';
import type { Access } from '../access.ts';
import { RequestError } from '../request-error.ts';
import type { ServedAgent } from '../served-agent.ts';
import type { ServerContext } from '../server-context.ts';
import type { AapSessions } from '../session/aap-sessions.ts';
import type { EventStreams } from '../turn/event-streams.ts';

/** A request, and what is needed to answer it. */
export interface Exchange {
  readonly request: Request;
  readonly url: URL;
  /** What stands in front of the server's own paths. */
  readonly basePath: string;
  readonly access: Access;
  readonly context: ServerContext;
  readonly sessions: AapSessions;
  readonly streams: EventStreams;
  /** What happens to a turn whose reader has disconnected. */
  readonly onDisconnect: 'continue' | 'cancel';
  /** Whether nothing may begin any more. */
  readonly isClosing: () => boolean;
}

/** The agents that the caller may use. */
export function agentsOf({ context, access }: Exchange): readonly ServedAgent[] {
  const agents = context.agents();
  const { agents: names } = access;
  return names === undefined ? agents : agents.filter(({ info }) => names.includes(info.name));
}

/** An agent by its name, if it is still there. */
export function findAgent(
  exchange: Exchange,
  name: string,
): { readonly agent: ServedAgent; readonly info: AgentInfo } | undefined {
  const agent = agentsOf(exchange).find(({ info }) => info.name === name);
  return agent && { agent, info: agent.info };
}

/** Refuses what would begin something, when the server is shutting down. */
export function expectOpen({ isClosing }: Exchange): void {
  if (!isClosing()) return;
  throw new RequestError(503, 'shutting_down', 'the server is shutting down', {
    headers: { 'retry-after': '5' },
  });
}

/** The media type of most answers. */
export const jsonType = 'application/json';

/** The media type of a turn that is streamed. */
export const eventStreamType = 'text/event-stream';

/** Refuses a request whose answer could not be of a type that it accepts, before anything is done for it. */
export function expectAccepted({ request }: Exchange, type: string): void {
  if (acceptsType(request.headers.get('accept'), type)) return;
  throw new RequestError(406, 'not_acceptable', `the response is ${type}, which the request does not accept`);
}

/** An answer in JSON. */
export function toJson(value: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set('content-type', jsonType);
  headers.set('cache-control', 'no-store');
  return new Response(JSON.stringify(value), { ...init, headers });
}

/** For a request that does not say what it should. */
export function invalidRequest(message: string): RequestError {
  return new RequestError(400, 'invalid_request', message);
}
