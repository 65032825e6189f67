import type { Limits } from '../limits.ts';
import { BrowserCookies, isEncryptedForBrowser, type ArrivedRequest } from './browser-cookies.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { createOneTimeLinks, type OneTimeLinkOptions } from './one-time-links.ts';
import type { OriginRules } from './origin-rules.ts';
import { createRateLimit } from './rate-limit.ts';
import { refusal } from './refusal.ts';
import { findToken, type Principal, type TokenRecord } from './token.ts';

/** Who may come in. */
export interface GateOptions {
  readonly origins: OriginRules;
  /** The tokens that count now. */
  readonly tokens: () => Iterable<TokenRecord>;
  /** Looks for tokens that were added just now. @default `tokens` is up to date */
  readonly refreshTokens?: () => Promise<void>;
  /** Looks for browsers that signed in just now at another server. @default `browsers` is up to date */
  readonly refreshBrowsers?: () => Promise<void>;
  readonly browsers: BrowserSessions;
  readonly limits: Limits;
  /** A clock that only goes forward, in milliseconds. @default performance.now */
  readonly now?: () => number;
}

/** A request before it is authenticated. */
export interface Arrival extends ArrivedRequest {
  readonly url: URL;
  readonly requestId: string;
  /** The address it came from. */
  readonly address: string;
}

/** The credentials of a request. */
export interface Pass {
  readonly principal: Principal;
  /** SHA-256 of the token behind the request. */
  readonly token: string;
  /** The browser session, if the request used a cookie. */
  readonly browser?: string;
  /** The header that extends the browser's cookie. */
  readonly renewal?: string;
  /** The header that removes the browser's cookie. */
  readonly removal?: string;
}

/** Looks at each request before it is answered. */
export interface Gate {
  /** Rejects requests that are addressed to another server, or sent by a page that may not call this one. */
  refuseStranger(arrival: Arrival): Response | undefined;
  /**
   * Returns the holder of the request's credentials, or the response that rejects it. Asynchronous only for unknown
   * tokens.
   */
  identify(arrival: Arrival): Pass | Response | Promise<Pass | Response>;
  /** The pass of a browser that is signed in. */
  findBrowser(arrival: Arrival): Pass | undefined;
  /** The token that a user entered, or that the code they entered was made with. Wrong ones are counted. */
  recognise(token: string, arrival: Arrival): Promise<TokenRecord | Response>;
  /** Whether the code of a link is valid. It stays so. */
  hasCode(code: string): boolean;
  /** The token that a code was made with. The code is invalid from then on. */
  takeCode(code: string): TokenRecord | undefined;
  /** Lets the browser in. @returns the header that gives it its cookie */
  letIn(token: TokenRecord, arrival: Arrival): string;
  /** Ends the session of a browser. */
  letOut(pass: Pass): void;
  /** Creates the code of a link that signs in another browser, with the rights of the token with this SHA-256. */
  makeCode(token: string, options?: OneTimeLinkOptions): string;
  /** Whether the credentials are still valid. */
  counts(pass: Pass): boolean;
}

/** Decides by names, origins, tokens and rates. */
export function createGate(options: GateOptions): Gate {
  const { origins, browsers, limits, now = () => performance.now() } = options;
  const cookies = new BrowserCookies({
    serverId: browsers.serverId,
    lifetimeMs: limits.browserSessionMs,
    origins,
  });
  const links = createOneTimeLinks({ limit: limits.signInLinks, lifetimeMs: limits.signInLinkMs, now });
  const requests = createRateLimit({ perMinute: limits.requestsPerMinute, names: limits.ratedNames, now });
  const failures = createRateLimit({
    perMinute: limits.failedTokensPerMinute,
    names: limits.ratedNames,
    now,
  });

  // Only wrong tokens are slowed down: wrong ones from the same address do not block a valid one. And a page from
  // elsewhere cannot use up what the address of its visitor has left.
  const wrongToken = ({ request, address, requestId }: Arrival): Response => {
    const wait = isFromElsewhere(request, origins) ? 0 : failures.take(address);
    if (wait > 0) return tooMany('wrong tokens', wait, requestId);
    return refusal(401, 'invalid_token', 'unknown token', {
      requestId,
      headers: { 'www-authenticate': 'Bearer realm="parley", error="invalid_token"' },
    });
  };

  /** The record of a token that may have been added just now. */
  const findNew = async (token: string): Promise<TokenRecord | undefined> => {
    await options.refreshTokens?.();
    return findToken(token, options.tokens());
  };

  const admit = (pass: Pass, requestId: string): Pass | Response => {
    const delay = requests.take(pass.principal.id);
    return delay > 0 ? tooMany('requests', delay, requestId) : pass;
  };

  const recordOf = (token: string | undefined): TokenRecord | undefined => {
    for (const record of token === undefined ? [] : options.tokens()) {
      if (record.sha256 === token) return record;
    }
    return undefined;
  };

  const findBrowser = (arrival: Arrival): Pass | undefined => {
    const { request } = arrival;
    const cookie = cookies.read(arrival);
    if (cookie === undefined || !isOwnPage(request, origins)) return undefined;
    const browser = browsers.find(cookie.value);
    const record = recordOf(browser?.token);
    if (browser === undefined || record === undefined) return undefined;
    return {
      ...toPass(record),
      browser: browser.id,
      removal: cookies.header('', cookie.isEncrypted),
      ...(browser.isRenewed && { renewal: cookies.header(cookie.value, cookie.isEncrypted) }),
    };
  };

  return {
    refuseStranger: (arrival) => strangerRefusal(arrival, origins),

    identify: (arrival) => {
      const { request, requestId } = arrival;
      const token = bearerOf(request);
      if (token !== undefined) {
        const known = findToken(token, options.tokens());
        if (known !== undefined) return admit(toPass(known), requestId);
        return findNew(token).then((record) =>
          record === undefined ? wrongToken(arrival) : admit(toPass(record), requestId),
        );
      }
      const pass = findBrowser(arrival);
      if (pass !== undefined) return admit(pass, requestId);
      // It may have signed in at another server just now.
      if (options.refreshBrowsers !== undefined && cookies.read(arrival) !== undefined) {
        return options.refreshBrowsers().then(() => {
          const later = findBrowser(arrival);
          return later === undefined ? unauthorized(requestId) : admit(later, requestId);
        });
      }
      return unauthorized(requestId);
    },

    findBrowser,

    recognise: async (token, arrival) =>
      recordOf(links.take(token)) ??
      findToken(token, options.tokens()) ??
      (await findNew(token)) ??
      wrongToken(arrival),

    hasCode: (code) => links.has(code),

    takeCode: (code) => recordOf(links.take(code)),

    letIn: ({ sha256 }, arrival) =>
      cookies.header(browsers.open(sha256), isEncryptedForBrowser(arrival, origins)),

    letOut: ({ browser }) => {
      if (browser !== undefined) browsers.end(browser);
    },

    makeCode: (token, link) => links.make(token, link),

    // What a token is allowed was decided when it came in.
    counts: ({ principal, token, browser }) =>
      recordOf(token)?.scope === principal.scope && (browser === undefined || browsers.has(browser)),
  };
}

function strangerRefusal({ request, requestId }: Arrival, origins: OriginRules): Response | undefined {
  const host = request.headers.get('host') ?? '';
  if (!origins.isOwnHost(host)) {
    const message = `this server does not go by the name ${JSON.stringify(host)}`;
    return refusal(403, 'host_not_allowed', message, { requestId });
  }
  const origin = request.headers.get('origin');
  if (origin === null || origins.judge(origin, host) !== 'refused') return undefined;
  const message = `pages of ${JSON.stringify(origin)} may not call this server`;
  return refusal(403, 'origin_not_allowed', message, { requestId });
}

function toPass({ id, name, scope, sha256 }: TokenRecord): Pass {
  return { principal: { id, name, scope }, token: sha256 };
}

function unauthorized(requestId: string): Response {
  return refusal(401, 'unauthorized', 'this needs "Authorization: Bearer TOKEN"', {
    requestId,
    headers: { 'www-authenticate': 'Bearer realm="parley"' },
  });
}

/** The bearer token of a request. Some clients send an empty one to say that they have none. */
function bearerOf(request: Request): string | undefined {
  const token = /^bearer +(\S+) *$/iu.exec(request.headers.get('authorization') ?? '')?.[1];
  return token;
}

/** A browser sends the cookie with any request of a page of the same machine. */
function isOwnPage({ headers, method }: Request, origins: OriginRules): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return origins.judge(origin, headers.get('host') ?? '') === 'own';
  const site = headers.get('sec-fetch-site');
  if (site === 'same-origin') return true;
  // Browsers say where a request that changes something comes from.
  return (site === null || site === 'none') && (method === 'GET' || method === 'HEAD');
}

/** Whether the browser reports that a page of another site, or of another server on this host, caused the request. */
function isFromElsewhere({ headers }: Request, origins: OriginRules): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return origins.judge(origin, headers.get('host') ?? '') !== 'own';
  const site = headers.get('sec-fetch-site');
  return site === 'cross-site' || site === 'same-site';
}

function tooMany(what: string, waitMs: number, requestId: string): Response {
  return refusal(429, 'rate_limited', `too many ${what}`, {
    requestId,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}
