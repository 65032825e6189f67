import { randomUUID } from 'node:crypto';
import type { Gate, Pass } from '../access/gate.ts';
import type { OriginRules } from '../access/origin-rules.ts';
import { refusal } from '../access/refusal.ts';
import type { Principal } from '../access/token.ts';
import type { Peer } from '../node-http/handler.ts';
import { signInPath, type SignIn } from '../web/sign-in.ts';
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
  receive(request: Request, peer: Peer): Visit | Promise<Visit>;
  /** Adds to an answer what every answer has. */
  dismiss(response: Response, request: Request, visit: Visit): Response;
}

/** What a reception decides by. */
export interface ReceptionOptions {
  readonly routes: readonly Route[];
  readonly origins: OriginRules;
  readonly gate: Gate;
  readonly signIn: SignIn;
}

/** Decides about each request, in this order: name and origin, preflight, token, rate, route, scope. */
export function createReception({ routes, origins, gate, signIn }: ReceptionOptions): Reception {
  return {
    receive: (request, { address, isEncrypted }) => {
      const url = new URL(request.url);
      const requestId = randomUUID();
      const refused = (response: Response): RefusedVisit => ({ kind: 'refused', requestId, url, response });
      const route = findRoute(routes, url.pathname);
      if (route?.isOpen === true) {
        return hasMethod(route, request.method)
          ? { kind: 'admitted', requestId, url, route }
          : refused(wrongMethod(request, requestId));
      }
      const arrival = { request, url, requestId, address, isEncrypted };
      const strange = gate.refuseStranger(arrival) ?? answerPreflight(request) ?? signIn.exchange(arrival);
      if (strange !== undefined) return refused(strange);
      if (url.pathname === signInPath) {
        const entrance: Route = { path: signInPath, answer: () => signIn.visit(arrival) };
        return { kind: 'admitted', requestId, url, route: entrance };
      }
      const decide = (pass: Pass | Response): Visit => {
        if (pass instanceof Response) return refused(signIn.refuse(pass, arrival));
        const { principal } = pass;
        if (route === undefined) return refused(notFound(url, requestId));
        if (!hasMethod(route, request.method)) return refused(wrongMethod(request, requestId));
        if (!mayUse(route, request.method, principal)) return refused(notAllowed(principal, requestId));
        return { kind: 'admitted', requestId, url, route, principal, pass };
      };
      const identified = gate.identify(arrival);
      return identified instanceof Promise ? identified.then(decide) : decide(identified);
    },
    dismiss: (response, request, visit) => {
      const { headers } = response;
      const origin = request.headers.get('origin');
      setMissing(headers, 'x-request-id', visit.requestId);
      setMissing(headers, 'x-content-type-options', 'nosniff');
      setMissing(headers, 'cache-control', 'no-store');
      setMissing(headers, 'referrer-policy', 'no-referrer');
      const renewal = visit.kind === 'admitted' ? visit.pass?.renewal : undefined;
      if (renewal !== undefined && !headers.has('set-cookie')) headers.set('set-cookie', renewal);
      if (origin === null) return response;
      headers.append('vary', 'Origin');
      if (origins.judge(origin, request.headers.get('host') ?? '') === 'allowed') {
        for (const [name, value] of corsHeaders(origin)) headers.set(name, value);
      }
      return response;
    },
  };
}

function notFound({ pathname }: URL, requestId: string): Response {
  return refusal(404, 'not_found', `no route for ${pathname}`, { requestId });
}

function wrongMethod({ method }: Request, requestId: string): Response {
  return refusal(405, 'method_not_allowed', `${method} is not supported here`, {
    requestId,
    headers: { allow: 'GET, HEAD' },
  });
}

function notAllowed({ name, scope }: Principal, requestId: string): Response {
  return refusal(403, 'scope', `the token "${name}" is for ${scope}, which does not include this`, {
    requestId,
  });
}

function setMissing(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}
