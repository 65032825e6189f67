import type { Arrival, Gate } from '../access/gate.ts';
import { isLoopback } from '../access/loopback.ts';
import type { OriginRules } from '../access/origin-rules.ts';
import { refusal } from '../access/refusal.ts';
import type { Limits } from '../limits.ts';
import type { Route } from '../server/route.ts';
import { reachableOrigin } from './reachable-origin.ts';
import { confirmPage, continuePage, signInPage, wantsPage } from './sign-in-page.ts';

/** Where people sign in. */
export const signInPath = '/sign-in';

/** How browsers come in, and go. */
export interface SignIn {
  /** Answers a browser that was opened by a link with a one-time code. */
  exchange(arrival: Arrival): Response | undefined;
  /** Serves `/sign-in`. */
  visit(arrival: Arrival): Promise<Response> | Response;
  /** The page for a browser without credentials. */
  refuse(refused: Response, arrival: Arrival): Response;
  /** Routes for browsers that are signed in: links for other devices, and signing out. */
  readonly routes: readonly Route[];
}

/** What signing in rests on. */
export interface SignInOptions {
  readonly gate: Gate;
  readonly origins: OriginRules;
  readonly limits: Pick<Limits, 'signInLinkMs'>;
  /** The address the server listens on. */
  readonly host: string;
  /** A browser has signed out. */
  readonly onSignOut: () => void;
}

/** Size of the sign-in form's data. */
const maxFormBytes = 8 * 1024;

/** Signs in each browser once: by the URL that was printed, by a link, or by a token that the user enters. */
export function createSignIn({ gate, origins, limits, host, onSignOut }: SignInOptions): SignIn {
  return {
    exchange: (arrival) => {
      const { request, url, requestId } = arrival;
      const code = url.searchParams.get('code');
      if (code === null || url.pathname !== '/' || request.method !== 'GET') return undefined;
      const next = withoutCode(url);
      if (gate.hasCode(code)) {
        // Previews, scanners and browsers that load ahead ask for links too: only a user's own navigation, or program, uses one up.
        const isWanted = isOpenedByUser(request) || isLocalProgram(arrival);
        const record = isWanted ? gate.takeCode(code) : undefined;
        return record === undefined
          ? confirmPage(request, { next, code })
          : goOn(request, next, gate.letIn(record, arrival));
      }
      if (gate.findBrowser(arrival) !== undefined) return goOn(request, next);
      return wantsPage(request)
        ? signInPage(request, { next, fault: 'used', status: 401 })
        : refusal(401, 'code_used', 'this sign-in link was already used or has expired', { requestId });
    },

    visit: async (arrival) => {
      const { request, url, requestId } = arrival;
      if (request.method === 'GET' || request.method === 'HEAD') {
        const next = toNext(url.searchParams.get('next'), url);
        const isIn = gate.findBrowser(arrival) !== undefined;
        return isIn ? goOn(request, next) : signInPage(request, { next });
      }
      if (request.method !== 'POST') {
        return refusal(405, 'method_not_allowed', `${request.method} is not allowed here`, {
          requestId,
          headers: { allow: 'GET, HEAD, POST' },
        });
      }
      if (!isOwn(request, origins)) {
        return refusal(403, 'origin_not_allowed', 'only the page of this server signs in', { requestId });
      }
      const form = await readForm(request);
      if (form === undefined) {
        return refusal(400, 'invalid_request', 'expected a form with a token', { requestId });
      }
      const next = toNext(form.get('next'), url);
      const code = form.get('code');
      if (code !== null) {
        const invited = gate.takeCode(code);
        return invited === undefined
          ? signInPage(request, { next, fault: 'used', status: 401 })
          : goOn(request, next, gate.letIn(invited, arrival));
      }
      const record = await gate.recognise(tokenIn(form.get('token') ?? ''), arrival);
      if (!(record instanceof Response)) return goOn(request, next, gate.letIn(record, arrival));
      const { status, headers } = record;
      const page = signInPage(request, { next, status, fault: status === 429 ? 'too-often' : 'unknown' });
      for (const name of ['retry-after', 'www-authenticate']) {
        const value = headers.get(name);
        if (value !== null) page.headers.set(name, value);
      }
      return page;
    },

    refuse: (refused, { request, url }) => {
      if (refused.status !== 401 || request.method !== 'GET' || !wantsPage(request)) return refused;
      const next = toNext(`${url.pathname}${url.search}`, url);
      const page = comesFromElsewhere(request)
        ? continuePage(next, 401)
        : signInPage(request, { next, status: 401 });
      page.headers.set('www-authenticate', refused.headers.get('www-authenticate') ?? 'Bearer');
      return page;
    },

    routes: [
      {
        path: '/api/sign-in-links',
        answer: (request, { requestId, pass }) =>
          pass === undefined || request.method !== 'POST'
            ? postOnly(request, requestId)
            : toLink(request, gate.makeCode(pass.token), { origins, limits, host }),
      },
      {
        path: '/api/sign-out',
        // It changes nothing but what the browser itself may do.
        scopes: () => ['admin', 'use', 'observe'],
        answer: (request, { requestId, pass }) => {
          if (pass === undefined || request.method !== 'POST') return postOnly(request, requestId);
          gate.letOut(pass);
          onSignOut();
          const { removal } = pass;
          return Response.json({}, removal === undefined ? {} : { headers: { 'set-cookie': removal } });
        },
      },
    ],
  };
}

function toLink(
  request: Request,
  code: string,
  { origins, limits, host }: Pick<SignInOptions, 'origins' | 'limits' | 'host'>,
): Response {
  // The browser knows better than we do under which name and scheme it reaches us, where the page is ours.
  const given = isOwn(request, origins) ? request.headers.get('origin') : null;
  const origin = reachableOrigin(given ?? new URL(request.url).origin, { host });
  return Response.json(
    {
      url: signInLink(origin, code),
      expiresAt: new Date(Date.now() + limits.signInLinkMs).toISOString(),
      reach: isLoopback(hostOf(new URL(origin))) ? 'this-machine' : 'network',
    },
    { status: 201 },
  );
}

/** The address that signs in the browser that it is opened in. */
export function signInLink(origin: string, code: string): string {
  return `${origin}/?code=${code}`;
}

function postOnly({ method }: Request, requestId: string): Response {
  return refusal(405, 'method_not_allowed', `${method} is not supported here`, {
    requestId,
    headers: { allow: 'POST' },
  });
}

/**
 * Redirects a browser. After a navigation from another site, browsers follow a redirect without the cookie, which is
 * limited to this site; such a browser receives a page that continues by itself.
 */
function goOn(request: Request, next: string, cookie?: string): Response {
  const answer = comesFromElsewhere(request)
    ? continuePage(next)
    : new Response(null, { status: 303, headers: { location: next } });
  if (cookie !== undefined) answer.headers.set('set-cookie', cookie);
  return answer;
}

function comesFromElsewhere({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== 'cross-site' && site !== 'same-site') return false;
  const destination = headers.get('sec-fetch-dest');
  // What the page's service worker passes on is a navigation without a destination.
  return (
    destination === 'document' || (destination === 'empty' && headers.get('sec-fetch-mode') === 'navigate')
  );
}

/** Whether the browser reports that its user opened this URL directly, and not as a preload. */
function isOpenedByUser(request: Request): boolean {
  const { headers } = request;
  return (
    !isAhead(request) &&
    headers.get('sec-fetch-site') === 'none' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-dest') === 'document'
  );
}

/**
 * Whether a program on this machine, such as `curl`, sent the request: over loopback, browsers always send the origin
 * of a request, and previews or scanners of other machines only get here through a proxy.
 */
function isLocalProgram({ request, url, address }: Arrival): boolean {
  const { headers } = request;
  const isBrowser = headers.has('sec-fetch-site') || headers.has('sec-fetch-dest') || headers.has('origin');
  const isForwarded = forwardingHeaders.some((name) => headers.has(name));
  const isLocal = isLoopback(address.replace(/^::ffff:/u, '')) && isLoopback(hostOf(url));
  return isLocal && !isBrowser && !isForwarded && !isAhead(request);
}

const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/u, '$1');
}

function isAhead({ headers }: Request): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) => headers.has(name));
}

function isOwn({ headers }: Request, origins: OriginRules): boolean {
  const origin = headers.get('origin');
  return origin !== null && origins.judge(origin, headers.get('host') ?? '') === 'own';
}

function withoutCode(url: URL): string {
  const target = new URL(url);
  target.searchParams.delete('code');
  return toNext(`${target.pathname}${target.search}`, url);
}

/** A path of this server, for any requested one: it never redirects elsewhere. */
function toNext(asked: string | null, { origin }: URL): string {
  if (asked === null || !asked.startsWith('/') || !URL.canParse(asked, origin)) return '/';
  const target = new URL(asked, origin);
  const path = `${target.pathname}${target.search}`;
  return target.origin === origin && target.pathname !== signInPath && !path.startsWith('//') ? path : '/';
}

/** Users paste a token, or a whole link with its code. */
function tokenIn(pasted: string): string {
  const text = pasted.trim();
  if (!URL.canParse(text)) return text;
  return new URL(text).searchParams.get('code') ?? text;
}

async function readForm(request: Request): Promise<URLSearchParams | undefined> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\b/iu.test(type) || request.body === null) return undefined;
  const body: AsyncIterable<Uint8Array> = request.body;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxFormBytes) return undefined;
  }
  return new URLSearchParams(text);
}
