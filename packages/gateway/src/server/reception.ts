import { randomUUID } from 'node:crypto';
import type { Gate } from '../access/gate.ts';
import type { OriginRules } from '../access/origin-rules.ts';
import { refusal } from '../access/refusal.ts';
import type { Principal } from '../access/token.ts';
import type { Peer } from '../node-http/handler.ts';
import { htmlPage, markup } from '../pages/html.ts';
import { answerPreflight, corsHeaders } from './cors.ts';
import { findRoute, hasMethod, mayUse, type Route, type RouteContext } from './route.ts';

/** A request, and what was decided about it before it reached a route. */
export type Visit = AdmittedVisit | RefusedVisit;

/** A request that a route is to answer. */
export interface AdmittedVisit extends RouteContext {
  readonly kind: 'admitted';
  readonly route: Route;
  readonly url: URL;
}

/** A request that is answered already. */
export interface RefusedVisit {
  readonly kind: 'refused';
  readonly requestId: string;
  readonly url: URL;
  readonly response: Response;
}

/** Where requests come in and answers go out. */
export interface Reception {
  receive(request: Request, peer: Peer): Visit;
  /** Adds to an answer what every answer has. */
  dismiss(response: Response, request: Request, visit: Visit): Response;
}

/** What a reception decides by. */
export interface ReceptionOptions {
  readonly routes: readonly Route[];
  readonly origins: OriginRules;
  readonly gate: Gate;
}

/** Decides about each request, in this order: name and origin, preflight, token, rate, route, scope. */
export function createReception({ routes, origins, gate }: ReceptionOptions): Reception {
  return {
    receive: (request, { address, isEncrypted }) => {
      const url = new URL(request.url);
      const requestId = randomUUID();
      const refused = (response: Response): RefusedVisit => ({ kind: 'refused', requestId, url, response });
      const route = findRoute(routes, url.pathname);
      if (route?.isOpen === true) {
        return hasMethod(route, request.method)
          ? { kind: 'admitted', requestId, url, route }
          : refused(wrongMethod(request));
      }
      const arrival = { request, url, address, isEncrypted };
      const strange = gate.refuseStranger(arrival) ?? answerPreflight(request) ?? gate.exchangeToken(arrival);
      if (strange !== undefined) return refused(strange);
      const principal = gate.identify(arrival);
      if (principal instanceof Response) return refused(forPerson(principal, request));
      if (route === undefined) return refused(notFound(url));
      if (!hasMethod(route, request.method)) return refused(wrongMethod(request));
      if (!mayUse(route, request.method, principal)) return refused(notAllowed(principal));
      return { kind: 'admitted', requestId, url, route, principal };
    },
    dismiss: (response, request, { requestId }) => {
      const { headers } = response;
      const origin = request.headers.get('origin');
      setMissing(headers, 'x-request-id', requestId);
      setMissing(headers, 'x-content-type-options', 'nosniff');
      setMissing(headers, 'cache-control', 'no-store');
      setMissing(headers, 'referrer-policy', 'no-referrer');
      if (origin === null) return response;
      headers.append('vary', 'Origin');
      if (origins.judge(origin, request.headers.get('host') ?? '') === 'allowed') {
        for (const [name, value] of corsHeaders(origin)) headers.set(name, value);
      }
      return response;
    },
  };
}

/** What a person sees who comes without a token; programs get the answer as it is. */
function forPerson(answer: Response, request: Request): Response {
  const isPage = request.headers.get('accept')?.includes('text/html') === true;
  if (answer.status !== 401 || request.method !== 'GET' || !isPage) return answer;
  const page = htmlPage(
    'Parley',
    markup`<h1>Parley</h1>
      <p>Open the address that <code>parley serve</code> printed: it has the token that lets you in.</p>`,
    401,
  );
  page.headers.set('www-authenticate', answer.headers.get('www-authenticate') ?? 'Bearer');
  return page;
}

function notFound({ pathname }: URL): Response {
  return refusal(404, 'not_found', `there is nothing at ${pathname}`);
}

function wrongMethod({ method }: Request): Response {
  return refusal(405, 'method_not_allowed', `${method} means nothing here`, {
    headers: { allow: 'GET, HEAD' },
  });
}

function notAllowed({ name, scope }: Principal): Response {
  return refusal(403, 'scope', `the token "${name}" is for ${scope}, which does not include this`);
}

function setMissing(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}
