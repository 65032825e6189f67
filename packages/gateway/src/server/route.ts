import type { Pass } from '../access/gate.ts';
import type { FollowedPass } from '../access/live-passes.ts';
import type { Principal, Scope } from '../access/token.ts';
import type { TakeOver } from '../node-http/handler.ts';

/** A part of what the gateway serves. */
export interface Route {
  /** It answers this path, and with `isPrefix` all paths below it. */
  readonly path: string;
  readonly isPrefix?: boolean;
  /** Needs no token. @default false */
  readonly isOpen?: boolean;
  /** It answers GET and HEAD only; other methods are 405. @default false */
  readonly isReadOnly?: boolean;
  /** Who may use it with a method. @default any scope for GET and HEAD, `admin` and `use` for the others */
  readonly scopes?: (method: string) => readonly Scope[];
  answer(request: Request, context: RouteContext): Promise<Response> | Response;
  /** Answers a request that wants a WebSocket. @default none may have one here */
  upgrade?(request: Request, context: UpgradeContext): Promise<Response | TakeOver>;
}

/** What is known of a request besides itself. */
export interface RouteContext {
  readonly requestId: string;
  /** Whose it is. Absent on routes that are open. */
  readonly principal?: Principal;
  /** What it came with. Absent on routes that are open. */
  readonly pass?: Pass;
  /**
   * Follows the pass for as long as something lasts that the request began: what is returned says when the token was revoked, has
   * expired, or the browser was signed out. Absent on routes that are open.
   */
  readonly follow?: () => FollowedPass;
}

/** What is known of a request that wants a WebSocket. */
export interface UpgradeContext extends RouteContext {
  /** Aborted when what it came with counts no more: the WebSocket has to end. */
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

/** Whether a route knows a method. */
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
