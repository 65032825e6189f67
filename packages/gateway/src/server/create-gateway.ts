import { createBrowserSessions, type BrowserSessions } from '../access/browser-sessions.ts';
import { createGate } from '../access/gate.ts';
import { createLivePasses } from '../access/live-passes.ts';
import type { OneTimeLinkOptions } from '../access/one-time-links.ts';
import { createOriginRules } from '../access/origin-rules.ts';
import type { TokenRecord } from '../access/token.ts';
import { GatewayError } from '../gateway-error.ts';
import { defaultLimits, type Limits } from '../limits.ts';
import type { Certificate } from '../node-http/node-servers.ts';
import { openHttpServer, type HttpServer } from '../node-http/open-http-server.ts';
import { createSignIn, signInLink } from '../web/sign-in.ts';
import { createExchanges, type AnsweredRequest } from './exchanges.ts';
import { createReception } from './reception.ts';
import type { Route } from './route.ts';

/** Default time that running requests have when the gateway closes. */
const defaultGraceMs = 5000;

/** Options of a gateway. */
export interface GatewayOptions {
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 selects any free port. @default 7717 */
  readonly port?: number;
  /** Enables HTTPS. @default plain HTTP */
  readonly tls?: Certificate;
  /** Returns the currently valid tokens. */
  readonly tokens: () => Iterable<TokenRecord>;
  /** Looks for tokens that were added just now, before an unknown one is refused. @default `tokens` is up to date */
  readonly refreshTokens?: () => Promise<void>;
  /** Looks for browsers that signed in just now at another server. @default `browsers` is up to date */
  readonly refreshBrowsers?: () => Promise<void>;
  /** The signed-in browsers. @default sign-ins end with the gateway */
  readonly browsers?: BrowserSessions;
  /** Additional host names of the machine. @default [] */
  readonly hosts?: readonly string[];
  /** Origins of other pages that may send requests; `*` for any. @default [] */
  readonly allowedOrigins?: readonly string[];
  /** The routes. The longest matching path handles a request. */
  readonly routes: readonly Route[];
  readonly limits?: Partial<Limits>;
  /** Called on an internal error. @default ignored */
  readonly onFault?: (error: unknown) => void;
  /** Called when a request was answered. @default ignored */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
  /** Called when an event stream starts; the returned function is called when it ends. @default ignored */
  readonly onStream?: () => () => void;
}

/** The HTTP server for all routes. */
export interface Gateway {
  /** Starts to listen. */
  listen(): Promise<void>;
  /** The address, such as `http://127.0.0.1:7717`. */
  readonly url: string;
  /** Creates a link that signs in one browser, once, with the rights of this token. */
  makeSignInLink(token: TokenRecord, options?: OneTimeLinkOptions): string;
  /** Waits for running requests, at most `graceMs`, and closes. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Creates the server for routes. Host names, origins, tokens and rates are checked before a route is called. */
export function createGateway(options: GatewayOptions): Gateway {
  const { host = '127.0.0.1', port = 7717, tls, onAnswered, onStream, onFault = () => {} } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const origins = createOriginRules({
    allowedOrigins: options.allowedOrigins ?? [],
    hosts: [host, ...(options.hosts ?? [])],
  });
  let server: HttpServer | undefined;
  const browsers =
    options.browsers ??
    createBrowserSessions({
      limit: limits.browserSessions,
      lifetimeMs: limits.browserSessionMs,
      now: Date.now,
    });
  const gate = createGate({
    origins,
    tokens: options.tokens,
    ...(options.refreshTokens !== undefined && { refreshTokens: options.refreshTokens }),
    ...(options.refreshBrowsers !== undefined && { refreshBrowsers: options.refreshBrowsers }),
    browsers,
    limits,
  });
  const passes = createLivePasses((pass) => gate.counts(pass), { everyMs: limits.passCheckMs });
  const signIn = createSignIn({ gate, origins, limits, host, onSignOut: passes.look });
  const reception = createReception({
    routes: [...options.routes, ...signIn.routes],
    origins,
    gate,
    signIn,
  });

  const exchanges = createExchanges({
    reception,
    gate,
    passes,
    ...(onAnswered !== undefined && { onAnswered }),
    ...(onStream !== undefined && { onStream }),
  });

  return {
    listen: async () => {
      const opened = openHttpServer({
        host,
        port,
        ...(tls !== undefined && { tls }),
        limits,
        onFault,
        ...exchanges,
      });
      server = await opened.catch((error: unknown) => {
        throw cannotListen(error, host, port);
      });
    },
    get url() {
      const reachable = anyAddress.get(host) ?? host;
      const name = reachable.includes(':') ? `[${reachable}]` : reachable;
      return `${tls === undefined ? 'http' : 'https'}://${name}:${String(server?.port ?? port)}`;
    },
    makeSignInLink(token, link) {
      return signInLink(this.url, gate.makeCode(token.sha256, link));
    },
    close: async ({ graceMs = defaultGraceMs } = {}) => {
      await server?.close({ graceMs });
    },
  };
}

/** A wildcard address cannot be opened. */
const anyAddress = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

function cannotListen(error: unknown, host: string, port: number): GatewayError {
  const what = `listen on ${host}, port ${String(port)}`;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return new GatewayError('address-in-use', `${what}: another program is already doing it`, {
      cause: error,
    });
  }
  const why = error instanceof Error ? error.message : String(error);
  return new GatewayError('cannot-listen', `${what}: ${why}`, { cause: error });
}
