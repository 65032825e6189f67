import type { Limits } from '../limits.ts';
import { createBrowserSessions } from './browser-sessions.ts';
import { readCookie } from './cookie.ts';
import type { OriginRules } from './origin-rules.ts';
import { createRateLimit } from './rate-limit.ts';
import { refusal } from './refusal.ts';
import { findPrincipal, type Principal, type TokenRecord } from './token.ts';

/** Who may come in. */
export interface GateOptions {
  readonly origins: OriginRules;
  /** The tokens that count now. */
  readonly tokens: () => Iterable<TokenRecord>;
  /** Of the cookie of browsers. Cookies know no ports, so two servers on one machine need two names. */
  readonly cookieName: () => string;
  readonly limits: Limits;
  /** @default Date.now */
  readonly now?: () => number;
}

/** A request before anybody knows whose it is. */
export interface Arrival {
  readonly request: Request;
  readonly url: URL;
  /** The address it came from. */
  readonly address: string;
  readonly isEncrypted: boolean;
}

/** Looks at each request before it is answered. */
export interface Gate {
  /** Refuses what was meant for another server, or came from a page that may not call this one. */
  refuseStranger(arrival: Arrival): Response | undefined;
  /** Whose request it is, or why it is not answered. */
  identify(arrival: Arrival): Principal | Response;
  /** Gives a browser a cookie for the token in the URL it was opened with. */
  exchangeToken(arrival: Arrival): Response | undefined;
}

/** Decides by names, origins, tokens and how much somebody asks for. */
export function createGate(options: GateOptions): Gate {
  const { origins, limits, now = Date.now } = options;
  const browsers = createBrowserSessions(limits.browserSessions);
  const requests = createRateLimit({ perMinute: limits.requestsPerMinute, names: limits.ratedNames, now });
  const failures = createRateLimit({
    perMinute: limits.failedTokensPerMinute,
    names: limits.ratedNames,
    now,
  });

  const wrongToken = (address: string): Response => {
    failures.take(address);
    return refusal(401, 'invalid_token', 'the token is not known here', {
      headers: { 'www-authenticate': 'Bearer realm="parley", error="invalid_token"' },
    });
  };

  return {
    refuseStranger: ({ request }) => {
      const host = request.headers.get('host') ?? '';
      if (!origins.isOwnHost(host)) {
        return refusal(
          403,
          'host_not_allowed',
          `this server does not go by the name ${JSON.stringify(host)}`,
        );
      }
      const origin = request.headers.get('origin');
      if (origin === null || origins.judge(origin, host) !== 'refused') return undefined;
      return refusal(
        403,
        'origin_not_allowed',
        `pages of ${JSON.stringify(origin)} may not call this server`,
      );
    },

    identify: ({ request, address }) => {
      const wait = failures.waitMs(address);
      if (wait > 0) return tooMany('wrong tokens', wait);
      const token = bearerOf(request);
      const cookie = readCookie(request, options.cookieName());
      let principal: Principal | undefined;
      if (token !== undefined) {
        principal = findPrincipal(token, options.tokens());
        if (principal === undefined) return wrongToken(address);
      } else if (cookie !== undefined && isOwnPage(request, origins)) {
        principal = browsers.find(cookie);
      }
      if (principal === undefined) {
        return refusal(401, 'unauthorized', 'this needs "Authorization: Bearer TOKEN"', {
          headers: { 'www-authenticate': 'Bearer realm="parley"' },
        });
      }
      const delay = requests.take(principal.name);
      return delay > 0 ? tooMany('requests', delay) : principal;
    },

    exchangeToken: ({ request, url, address, isEncrypted }) => {
      const token = url.searchParams.get('token');
      if (token === null || url.pathname !== '/' || request.method !== 'GET') return undefined;
      const wait = failures.waitMs(address);
      if (wait > 0) return tooMany('wrong tokens', wait);
      const principal = findPrincipal(token, options.tokens());
      if (principal === undefined) return wrongToken(address);
      const target = new URL(url);
      target.searchParams.delete('token');
      const cookie = [
        `${options.cookieName()}=${browsers.open(principal)}`,
        'Path=/',
        'HttpOnly',
        'SameSite=Strict',
        ...(isEncrypted ? ['Secure'] : []),
      ];
      return new Response(null, {
        status: 303,
        headers: { location: `${target.pathname}${target.search}`, 'set-cookie': cookie.join('; ') },
      });
    },
  };
}

/** A token that is there but empty is how some clients say that they have none. */
function bearerOf(request: Request): string | undefined {
  const token = /^bearer +(\S+) *$/iu.exec(request.headers.get('authorization') ?? '')?.[1];
  return token;
}

/** A browser sends the cookie with whatever a page of the same machine makes it ask for. */
function isOwnPage({ headers }: Request, origins: OriginRules): boolean {
  const origin = headers.get('origin');
  if (origin !== null) return origins.judge(origin, headers.get('host') ?? '') === 'own';
  const site = headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none';
}

function tooMany(what: string, waitMs: number): Response {
  return refusal(429, 'rate_limited', `too many ${what}`, {
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}
