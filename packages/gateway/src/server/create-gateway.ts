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

/** How long what is being answered may take when the gateway closes. */
const defaultGraceMs = 5000;

/** What a gateway is made of. */
export interface GatewayOptions {
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 for any that is free. @default 7717 */
  readonly port?: number;
  /** Makes it HTTPS. @default plain HTTP */
  readonly tls?: Certificate;
  /** The tokens that count now. */
  readonly tokens: () => Iterable<TokenRecord>;
  /** The browsers that are signed in. @default those that sign in until it closes */
  readonly browsers?: BrowserSessions;
  /** Further names of the machine, by which requests may call it. @default [] */
  readonly hosts?: readonly string[];
  /** Origins whose pages may call it besides its own; `*` for any. @default [] */
  readonly allowedOrigins?: readonly string[];
  /** What it serves. The longest path that fits is asked. */
  readonly routes: readonly Route[];
  readonly limits?: Partial<Limits>;
  /** A fault of ours. @default nothing is said */
  readonly onFault?: (error: unknown) => void;
  /** A request was answered. @default nothing is said */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
  /** A stream of events begins; what is returned is called when it ends. @default nothing is said */
  readonly onStream?: () => () => void;
}

/** What is known of a request when it is over. Never its query, which may contain a token. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The path of the route that answered, if one did. */
  readonly route?: string;
  readonly status: number;
  /** Until the head of the answer was there. */
  readonly ms: number;
  /** The name of the token it came with. */
  readonly principal?: string;
}

/** The HTTP server around everything that is served. */
export interface Gateway {
  /** Begins to listen. */
  listen(): Promise<void>;
  /** Where it listens, such as `http://127.0.0.1:7717`. */
  readonly url: string;
  /** An address that signs one browser in, once, with the rights of this token. */
  makeSignInLink(token: TokenRecord, options?: OneTimeLinkOptions): string;
  /** Waits until what is being answered has been, at most `graceMs`, and closes. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Puts a server around the routes: names, origins, tokens and rates are looked at before any of them. */
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

  /** An answer may take minutes: who may not have it any more does not wait for it. */
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

  /** Answers a request, and reports it. */
  const serve = async <Answer extends Response | TakeOver>(
    request: Request,
    peer: Peer,
    answer: (visit: AdmittedVisit) => Promise<Answer> | Answer,
  ): Promise<Answer | Response> => {
    const begun = performance.now();
    const visit = reception.receive(request, peer);
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

  /** Has a route accept a WebSocket, which ends when it may not be any more. */
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

/** Whether an answer goes on after its head. */
function isStream({ headers }: Response): boolean {
  return streamTypes.has(headers.get('content-type') ?? '');
}

const streamTypes: ReadonlySet<string> = new Set(['text/event-stream', 'application/x-ndjson']);

/** Ends an exchange as soon as it may not go on. */
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
  return refusal(401, 'invalid_token', 'the token was revoked, or has expired', { requestId });
}

function noUpgrade({ url }: AdmittedVisit): Response {
  return refusal(400, 'no_websocket', `there is no WebSocket at ${url.pathname}`);
}

function cannotListen(error: unknown, host: string, port: number): GatewayError {
  const what = `listen on ${host}, port ${String(port)}`;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return new GatewayError('address-in-use', `${what}: another program does already`, { cause: error });
  }
  const why = error instanceof Error ? error.message : String(error);
  return new GatewayError('cannot-listen', `${what}: ${why}`, { cause: error });
}
