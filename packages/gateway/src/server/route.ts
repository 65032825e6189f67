import type { Pass } from '../access/gate.ts';
import type { FollowedPass } from '../access/live-passes.ts';
import type { Principal, Scope } from '../access/token.ts';
import type { TakeOver } from '../node-http/handler.ts';

/** A part of the gateway's paths. */
export interface Route {
  /** The path, or with `isPrefix` the prefix, of its requests. */
  readonly path: string;
  readonly isPrefix?: boolean;
  /** Whether the route needs no token. @default false */
  readonly isOpen?: boolean;
  /** Whether only GET and HEAD are allowed; other methods are answered with 405. @default false */
  readonly isReadOnly?: boolean;
  /** The scopes that may use a method. @default any scope for GET and HEAD, `admin` and `use` for the others */
  readonly scopes?: (method: string) => readonly Scope[];
  answer(request: Request, context: RouteContext): Promise<Response> | Response;
  /** Handles a request for a WebSocket. @default WebSockets are rejected */
  upgrade?(request: Request, context: UpgradeContext): Promise<Response | TakeOver>;
}

/** The context of a request. */
export interface RouteContext {
  readonly requestId: string;
  /** The token of the request. Absent on open routes. */
  readonly principal?: Principal;
  /** The credentials of the request. Absent on open routes. */
  readonly pass?: Pass;
  /**
   * Follows the credentials of a request whose effects outlive it: the result reports when the token was revoked or
   * has expired, or the browser was signed out. Absent on open routes.
   */
  readonly follow?: () => FollowedPass;
}

/** The context of a request for a WebSocket. */
export interface UpgradeContext extends RouteContext {
  /** Aborted when the credentials are no longer valid: the WebSocket must end. */
  readonly signal: AbortSignal;
}

/** The route for a path: the longest that fits. A slash at the end changes nothing. */
export function findRoute(routes: readonly Route[], pathname: string): Route | undefined {
  const asked = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  let found: Route | undefined;
  for (const route of routes) {
    const below = route.path === '/' ? '/' : `${route.path}/`;
    const fits = asked === route.path || (route.isPrefix === true && asked.startsWith(below));
    if (fits && (found === undefined || route.path.length > found.path.length)) found = route;
  }
  return found;
}

/** Whether a route supports a method. */
export function hasMethod({ isReadOnly = false }: Route, method: string): boolean {
  return !isReadOnly || method === 'GET' || method === 'HEAD';
}

/** Whether a caller may use a route with a method. */
export function mayUse(route: Route, method: string, { scope }: Principal): boolean {
  return (route.scopes ?? defaultScopes)(method).includes(scope);
}

function defaultScopes(method: string): readonly Scope[] {
  return method === 'GET' || method === 'HEAD' ? ['admin', 'use', 'observe'] : ['admin', 'use'];
}
