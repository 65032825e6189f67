import type { Gate } from '../access/gate.ts';
import type { FollowedPass, LivePasses } from '../access/live-passes.ts';
import { refusal } from '../access/refusal.ts';
import type { Peer, TakeOver } from '../node-http/handler.ts';
import type { HttpServerOptions } from '../node-http/open-http-server.ts';
import type { AdmittedVisit, Reception } from './reception.ts';

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

/** What exchanges go through. */
export interface ExchangesOptions {
  readonly reception: Reception;
  readonly gate: Pick<Gate, 'counts'>;
  readonly passes: Pick<LivePasses, 'follow'>;
  readonly onAnswered?: (answered: AnsweredRequest) => void;
  readonly onStream?: () => () => void;
}

/** Requests and their responses: each is received, answered by its route while its token is valid, and reported. */
export function createExchanges({
  reception,
  gate,
  passes,
  onAnswered,
  onStream,
}: ExchangesOptions): Pick<HttpServerOptions, 'fetch' | 'upgrade'> {
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
    fetch: (request, peer) => serve(request, peer, (visit) => visit.route.answer(request, contextOf(visit))),
    upgrade: (request, peer) => serve(request, peer, (visit) => upgrade(request, peer, visit)),
  };
}

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
