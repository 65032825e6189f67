import { atMost, systemClock, type Clock } from '@parley/wire';
import type { AapSessionStore } from './aap-session-store.ts';
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
import { AapSessions } from './session/aap-sessions.ts';
import { KeepingRounds } from './session/keeping-rounds.ts';
import { EventStreams } from './turn/event-streams.ts';

/** Options of a server. */
export interface AapServerOptions {
  /** The store for sessions. The caller closes it. @default in memory only */
  readonly store?: AapSessionStore;
  /** Seals the values of secret options. @default a key that is lost when the process ends */
  readonly secrets?: SecretVault;
  /** The path prefix of all endpoints, such as `/aap`. @default none */
  readonly basePath?: string;
  /** Identifies the client of a request; undefined is rejected with 401. @default every client has full access */
  readonly authorize?: (request: Request) => Access | undefined | Promise<Access | undefined>;
  /** Whether `/meta` is served without calling `authorize`. @default false */
  readonly isMetaPublic?: boolean;
  /** What happens to a turn when its reader closes the stream. @default 'continue' */
  readonly onDisconnect?: 'continue' | 'cancel';
  readonly limits?: Partial<AapServerLimits>;
  /** Receives events that an operator may want to count or log. */
  readonly onEvent?: (event: ServerEvent) => void;
  readonly clock?: Clock;
  /** Returns the date, for time stamps. @default the system's date */
  readonly today?: () => Date;
}

/** The context of a request. */
export interface RequestContext {
  /** The access of the client, if already known. `authorize` is then not called. */
  readonly access?: Access;
  /** The id under which the request is logged. @default the header `X-Request-Id`, else a new id */
  readonly requestId?: string;
}

/** A server of agents over AAP. */
export interface AapServer {
  /** Handles a request. Never rejects. */
  handle(request: Request, context?: RequestContext): Promise<Response>;
  /**
   * Cancels the activity of a session on behalf of a client other than its application: the turn, or the calls that
   * wait for the application. Settles when it has ended.
   *
   * @throws {RequestError} The session does not exist.
   */
  cancel(sessionId: string): Promise<void>;
  /**
   * Deletes a session and cancels its activity.
   *
   * @throws {RequestError} The session does not exist.
   */
  remove(sessionId: string): Promise<void>;
  /**
   * Ends the turn of a session that another process left behind when it ended.
   *
   * @throws {RequestError} The session does not exist.
   */
  recover(sessionId: string): Promise<void>;
  /** Ends what runs for a session, and forgets what is in memory of it: another process stores it now. */
  forget(sessionId: string): void;
  /** Whether an option may be secret: an agent declares it as such, or no agent declares it. */
  isSecretOption(name: string): boolean;
  /** Returns the current activity. */
  status(): Promise<ServerStatus>;
  /** Rejects new turns, and ends running ones after a grace period. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** The current activity of a server. */
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
 * @throws {AapServerError} `invalid-agent`: two agents have the same name, or a description is invalid.
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
        // An observer cannot break the request.
      }
    },
  };
  const sessions = new AapSessions(context);
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
    recover: (sessionId) => {
      sessions.forget(sessionId);
      return sessions.use(sessionId, { seesAll: true }, () => Promise.resolve());
    },
    forget: (sessionId) => {
      sessions.forget(sessionId);
    },
    isSecretOption: (name) => {
      const declared = context
        .agents()
        .flatMap(({ info }) => info.options?.filter((option) => option.name === name) ?? []);
      return declared.length === 0 || declared.some(({ type }) => type === 'secret');
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
