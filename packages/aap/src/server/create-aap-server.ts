import { atMost, systemClock, type Clock } from '@parley/wire';
import type { Access } from './access.ts';
import { checkAgents } from './config/check-agents.ts';
import { memoryVault } from './config/memory-vault.ts';
import type { Exchange } from './endpoints/exchange.ts';
import { answer } from './endpoints/route.ts';
import { toErrorResponse } from './error-response.ts';
import { defaultLimits, type AapServerLimits } from './limits.ts';
import { memoryStore } from './memory-store.ts';
import { RequestError } from './request-error.ts';
import type { SecretVault } from './secret-vault.ts';
import type { ServedAgent } from './served-agent.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerEvent } from './server-event.ts';
import type { SessionStore } from './session-store.ts';
import { KeepingRounds } from './session/keeping-rounds.ts';
import { Sessions } from './session/sessions.ts';
import { EventStreams } from './turn/event-streams.ts';

/** The options of a server. */
export interface AapServerOptions {
  /** Where sessions are kept. Who opened it closes it. @default in memory only */
  readonly store?: SessionStore;
  /** What seals the values of secret options. @default a key that is gone when the process ends */
  readonly secrets?: SecretVault;
  /** What stands in front of the paths of the protocol, such as `/aap`. @default nothing */
  readonly basePath?: string;
  /** Identifies the caller of a request; undefined is answered 401. @default every caller may do everything */
  readonly authorize?: (request: Request) => Access | undefined | Promise<Access | undefined>;
  /** Whether `/meta` is answered without asking `authorize`. @default false */
  readonly isMetaPublic?: boolean;
  /** What becomes of a turn whose stream is closed by its reader. @default 'continue' */
  readonly onDisconnect?: 'continue' | 'cancel';
  readonly limits?: Partial<AapServerLimits>;
  /** Hears of what an operator may want to count or log. */
  readonly onEvent?: (event: ServerEvent) => void;
  readonly clock?: Clock;
  /** The date, for time stamps. @default the machine's */
  readonly today?: () => Date;
}

/** What is known of a request besides itself. */
export interface RequestContext {
  /** Who makes it, where that was found out already. `authorize` is then not asked. */
  readonly access?: Access;
  /** Under which the request is logged. @default the header `X-Request-Id`, or one is made */
  readonly requestId?: string;
}

/** Agents behind the Agent Application Protocol. */
export interface AapServer {
  /** Answers a request. Never rejects. */
  handle(request: Request, context?: RequestContext): Promise<Response>;
  /**
   * Cancels what goes on in a session, on behalf of another client than its application: the turn, or the calls that wait for the
   * application. Settles when it has ended.
   *
   * @throws {RequestError} There is no such session.
   */
  cancel(sessionId: string): Promise<void>;
  /**
   * Deletes a session, with all that goes on in it.
   *
   * @throws {RequestError} There is no such session.
   */
  remove(sessionId: string): Promise<void>;
  /** What goes on right now. */
  status(): Promise<ServerStatus>;
  /** Begins no turn any more, and ends those that are still running after a while. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** What goes on in a server. */
export interface ServerStatus {
  readonly openStreams: number;
  readonly runningTurns: number;
  /** Calls that wait for an application, and since when. */
  readonly waitingCalls: readonly {
    readonly sessionId: string;
    readonly toolCallId: string;
    readonly since: string;
  }[];
}

/**
 * Serves agents over HTTP.
 *
 * ```ts
 * const server = createAapServer([echo]);
 * const response = await server.handle(new Request('http://localhost/meta'));
 * ```
 *
 * @throws {AapServerError} `invalid-agent`: two have one name, or one says of itself what no application could use.
 */
export function createAapServer(
  agents: readonly ServedAgent[] | (() => readonly ServedAgent[]),
  options: AapServerOptions = {},
): AapServer {
  if (typeof agents !== 'function') checkAgents(agents);
  const { clock = systemClock, authorize, isMetaPublic = false, onDisconnect = 'continue' } = options;
  const basePath = (options.basePath ?? '').replace(/\/+$/, '');
  const limits = { ...defaultLimits, ...options.limits };
  const context: ServerContext = {
    agents: typeof agents === 'function' ? agents : () => agents,
    store: options.store ?? memoryStore(),
    vault: options.secrets ?? memoryVault(),
    limits,
    clock,
    rounds: new KeepingRounds(clock, limits.gatherMs),
    today: options.today ?? (() => new Date()),
    newId,
    observe: (event) => {
      try {
        options.onEvent?.(event);
      } catch {
        // Who looks on cannot break what goes on.
      }
    },
  };
  const sessions = new Sessions(context);
  const streams = new EventStreams(clock, limits.heartbeatMs);
  let isClosing = false;

  const accessOf = async (request: Request, path: string): Promise<Access> => {
    if (authorize === undefined || (isMetaPublic && path === '/meta')) return {};
    const access = await authorize(request);
    if (access !== undefined) return access;
    throw new RequestError(401, 'unauthorized', 'a key is needed: Authorization: Bearer KEY', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  };

  const handle = async (request: Request, known: RequestContext): Promise<Response> => {
    const url = new URL(request.url);
    const path = pathBelow(basePath, url.pathname);
    const access = known.access ?? (await accessOf(request, path));
    const exchange: Exchange = {
      request,
      url,
      basePath,
      access,
      context,
      sessions,
      streams,
      // A HEAD request does not read the body.
      onDisconnect: request.method === 'HEAD' ? 'continue' : onDisconnect,
      isClosing: () => isClosing,
    };
    return answer(exchange, path);
  };

  return {
    async handle(request, known = {}) {
      const requestId = known.requestId ?? requestIdOf(request);
      let response: Response;
      try {
        response = await handle(request, known);
      } catch (error) {
        response = toErrorResponse(error, requestId, context.observe);
      }
      if (request.method === 'HEAD') response = await withoutBody(response);
      response.headers.set('aap-version', '3');
      response.headers.set('x-request-id', requestId);
      return response;
    },
    cancel(sessionId) {
      return sessions.use(sessionId, { seesAll: true }, async (session) => {
        if (session.turn === undefined) await session.cancelCalls();
        else await session.stop('cancelled');
      });
    },
    remove: (sessionId) => sessions.delete(sessionId, { seesAll: true }),
    async status() {
      const active = await sessions.active();
      return {
        openStreams: streams.size,
        runningTurns: active.filter(({ turn }) => turn !== undefined).length,
        waitingCalls: active.flatMap(({ sessionId, state }) =>
          state.waitingCalls.map(({ call }) => ({
            sessionId,
            toolCallId: call.toolCallId,
            since: state.waitingSince,
          })),
        ),
      };
    },
    async close({ graceMs = 0 } = {}) {
      isClosing = true;
      const turns = (await sessions.active()).flatMap(({ turn }) =>
        turn === undefined ? [] : [turn.stopped],
      );
      if (turns.length > 0 && graceMs > 0) await atMost(graceMs, clock, Promise.all(turns));
      await sessions.stopAll('shutdown');
    },
  };
}

async function withoutBody({ body, status, headers }: Response): Promise<Response> {
  await body?.cancel();
  return new Response(null, { status, headers });
}

function pathBelow(basePath: string, pathname: string): string {
  if (basePath !== '' && pathname !== basePath && !pathname.startsWith(`${basePath}/`)) return '';
  return pathname.slice(basePath.length).replace(/\/$/, '');
}

function requestIdOf({ headers }: Request): string {
  const given = headers.get('x-request-id');
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : newId();
}

/** A random id, of `[a-z0-9-]` only. */
function newId(): string {
  return crypto.randomUUID();
}
