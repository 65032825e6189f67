import { createBrowserSessions, type BrowserSessions } from '../access/browser-sessions.ts';
import { createGate } from '../access/gate.ts';
import { createLivePasses, type FollowedPass } from '../access/live-passes.ts';
import type { OneTimeLinkOptions } from '../access/one-time-links.ts';
import { createOriginRules } from '../access/origin-rules.ts';
import { refusal } from '../access/refusal.ts';
import type { TokenRecord } from '../access/token.ts';
import { GatewayError } from '../gateway-error.ts';
import { defaultLimits, type Limits } from '../limits.ts';
import type { Peer, TakeOver } from '../node-http/handler.ts';
import type { Certificate } from '../node-http/node-servers.ts';
import { openHttpServer, type HttpServer } from '../node-http/open-http-server.ts';
import { createSignIn, signInLink } from '../web/sign-in.ts';
import { createReception, type AdmittedVisit } from './reception.ts';
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

/** A completed request. Never contains the query, which may include a token. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The path of the matching route, if any. */
  readonly route?: string;
  readonly status: number;
  /** Milliseconds until the headers of the response. */
  readonly ms: number;
  /** The name of the token. */
  readonly principal?: string;
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

  const contextOf = (visit: AdmittedVisit): AdmittedVisit => {
    const { pass } = visit;
    return pass === undefined ? visit : { ...visit, follow: () => passes.follow(pass) };
  };

  /** Ends the wait for a response when the token is revoked. */
  const whileAllowed = async <Answer extends Response | TakeOver>(
    visit: AdmittedVisit,
    answer: () => Promise<Answer> | Answer,
  ): Promise<Answer | Response> => {
    const answering = answer();
    if (visit.pass === undefined || !(answering instanceof Promise)) return answering;
    const { principal, token } = visit.pass;
    // Who signs out gets the answer to that.
    using followed = passes.follow({ principal, token });
    const ended = new Promise<Response>((resolve) => {
      followed.signal.addEventListener('abort', () => {
        answering.then(discard, () => undefined);
        resolve(revoked(visit.requestId));
      });
    });
    return await Promise.race([answering, ended]);
  };

  /** Handles a request, and reports it. */
  const serve = async <Answer extends Response | TakeOver>(
    request: Request,
    peer: Peer,
    answer: (visit: AdmittedVisit) => Promise<Answer> | Answer,
  ): Promise<Answer | Response> => {
    const begun = performance.now();
    const received = reception.receive(request, peer);
    const visit = received instanceof Promise ? await received : received;
    const given = visit.kind === 'refused' ? visit.response : await whileAllowed(visit, () => answer(visit));
    onAnswered?.({
      requestId: visit.requestId,
      method: request.method,
      path: visit.url.pathname,
      ...(visit.kind === 'admitted' && { route: visit.route.path }),
      ...(visit.kind === 'admitted' && visit.principal && { principal: visit.principal.name }),
      status: given instanceof Response ? given.status : 101,
      ms: performance.now() - begun,
    });
    if (!(given instanceof Response)) return given;
    if (visit.kind === 'admitted' && visit.pass !== undefined) {
      // It may have taken minutes.
      const { principal, token } = visit.pass;
      if (!gate.counts({ principal, token })) {
        await given.body?.cancel();
        return reception.dismiss(revoked(visit.requestId), request, visit);
      }
      if (isStream(given)) endWith(passes.follow(visit.pass), peer);
    }
    if (given.headers.get('content-type') === 'text/event-stream') {
      const onEnd = onStream?.();
      if (onEnd !== undefined) peer.onClose(onEnd);
    }
    return reception.dismiss(given, request, visit);
  };

  /** Lets a route accept a WebSocket, which ends when its token is revoked. */
  const upgrade = (
    request: Request,
    peer: Peer,
    visit: AdmittedVisit,
  ): Promise<Response | TakeOver> | Response => {
    const { route, pass } = visit;
    if (route.upgrade === undefined) return noUpgrade(visit);
    if (pass === undefined) return route.upgrade(request, { ...visit, signal: new AbortController().signal });
    const followed = passes.follow(pass);
    peer.onClose(() => {
      followed[Symbol.dispose]();
    });
    return route.upgrade(request, { ...contextOf(visit), signal: followed.signal });
  };

  return {
    listen: async () => {
      const opened = openHttpServer({
        host,
        port,
        ...(tls !== undefined && { tls }),
        limits,
        onFault,
        fetch: (request, peer) =>
          serve(request, peer, (visit) => visit.route.answer(request, contextOf(visit))),
        upgrade: (request, peer) => serve(request, peer, (visit) => upgrade(request, peer, visit)),
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

/** Whether a response is a stream. */
function isStream({ headers }: Response): boolean {
  return streamTypes.has(headers.get('content-type') ?? '');
}

const streamTypes: ReadonlySet<string> = new Set(['text/event-stream', 'application/x-ndjson']);

/** Ends an exchange as soon as it is no longer permitted. */
function endWith(followed: FollowedPass, peer: Peer): void {
  followed.signal.addEventListener('abort', () => {
    peer.end();
  });
  peer.onClose(() => {
    followed[Symbol.dispose]();
  });
}

/** A late answer is discarded. */
function discard(answer: Response | TakeOver): void {
  if (answer instanceof Response) answer.body?.cancel().catch(() => undefined);
}

function revoked(requestId: string): Response {
  return refusal(401, 'invalid_token', 'the token was revoked or has expired', { requestId });
}

function noUpgrade({ url }: AdmittedVisit): Response {
  return refusal(400, 'no_websocket', `no WebSocket at ${url.pathname}`);
}

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
