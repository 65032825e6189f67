import { invalidRequest, methodNotFound, protocolVersion } from '@parley/acp';
import { toRpcError, watchFrames, type ClientName } from '@parley/host';
import { hubMethods, type AttendResult } from '@parley/host/hub';
import {
  connect,
  RpcError,
  rpcCodes,
  type Connection,
  type RequestContext,
  type Transport,
} from '@parley/wire';
import { judgeSession } from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';
import { toAttendee } from './attendee.ts';
import { ChangeFeed } from './hub-changes.ts';
import { parseAttendParams, parseClientName, parseSessionParams, parseWatchParams } from './hub-params.ts';
import type { HubSessions } from './hub-sessions.ts';
import { readAnswers } from './remembered-answers.ts';
import { watchSession } from './session-watch.ts';
import { steering } from './steering.ts';
import { TerminalFeed } from './terminal-feed.ts';

/**
 * A client of the hub. Towards it, the hub is an agent, all of whose sessions are open: what needs an agent process starts
 * one, so that a client which comes back need not know what it had taken up.
 */
export class HubClient {
  readonly #table: HubSessions;
  readonly #principal: Principal;
  readonly #connection: Connection;
  readonly #watches = new Map<string, AbortController>();
  readonly #frameWatches = new Map<string, AbortController>();
  readonly #terminals = new Map<string, TerminalFeed>();
  #unlisten: () => void = () => {};
  #isIntroduced = false;
  #client: ClientName | undefined;

  /** Serves the client at the other end of a transport. */
  constructor(table: HubSessions, transport: Transport, principal: Principal) {
    this.#table = table;
    this.#principal = principal;
    this.#connection = connect(transport, {
      onRequest: (method, params, request) => this.#answer(method, params, request),
      onNotification: (method, params) => this.#hear(method, params),
    });
    this.#connection.signal.addEventListener('abort', () => {
      this.#unlisten();
      for (const watch of [...this.#watches.values(), ...this.#frameWatches.values()]) watch.abort();
    });
  }

  /** Settles when it has gone. Never rejects. */
  get closed(): Promise<unknown> {
    return this.#connection.closed;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #answer(method: string, params: unknown, request: RequestContext): Promise<unknown> {
    try {
      // ACP v1, Initialization: it comes first, and once.
      if (this.#isIntroduced === (method === 'initialize')) {
        throw invalidRequest(
          this.#isIntroduced ? 'initialize: it was done before' : `${method}: initialize first`,
        );
      }
      return await (this.#look(method, params) ?? this.#steer(method, params, request));
    } catch (error) {
      const told = toRpcError(error);
      if (told !== undefined) throw this.#table.agents.withoutSecrets(told);
      this.#table.options.onFault?.(error);
      throw new RpcError(rpcCodes.internalError, `${method}: it failed here`);
    }
  }

  /** What changes nothing, and so everybody may. */
  #look(method: string, params: unknown): Promise<object> | undefined {
    switch (method) {
      case 'initialize':
        return Promise.resolve(this.#introduce(params));
      case hubMethods.attend:
        return this.#attend(params);
      case hubMethods.watch:
        return this.#watch(params);
      case hubMethods.unwatch:
        this.#watches.get(parseSessionParams(params).sessionId)?.abort();
        return Promise.resolve({});
      case hubMethods.watchFrames:
        return this.#watchFrames(params);
      case hubMethods.unwatchFrames:
        this.#frameWatches.get(parseSessionParams(params).sessionId)?.abort();
        return Promise.resolve({});
      case hubMethods.answers:
        return readAnswers(this.#table.options.answersFile).then((answers) => ({ answers }));
      default:
        return undefined;
    }
  }

  #steer(method: string, params: unknown, { signal }: RequestContext): Promise<object> {
    const steer = steering.get(method);
    if (steer === undefined) throw methodNotFound(method);
    if (!this.#maySteer) throw invalidRequest(`${method}: this token may only look`);
    const cancelled = new AbortController();
    signal.addEventListener('abort', () => {
      if (!this.#connection.signal.aborted) cancelled.abort();
    });
    const client = this.#client;
    const from = { person: this.#principal.name, ...(client !== undefined && { client }) };
    return steer(params, { table: this.#table, from, signal: cancelled.signal });
  }

  /** The sessions of the hub belong to `admin`. */
  get #maySteer(): boolean {
    return judgeSession(this.#principal, undefined, 'change') === 'allowed';
  }

  /** `session/cancel` is a notification. */
  async #hear(method: string, params: unknown): Promise<void> {
    if (method !== 'session/cancel' || !this.#maySteer) return;
    try {
      await this.#table.found(parseSessionParams(params).sessionId)?.turns.cancel();
    } catch {
      // Nobody waits for an answer; that the turn goes on is seen in its events.
    }
  }

  #introduce(params: unknown): object {
    this.#client = parseClientName(params);
    this.#isIntroduced = true;
    const { info } = this.#table.options;
    return {
      protocolVersion,
      agentInfo: info,
      agentCapabilities: {
        // What an agent takes it says itself, in the events of its sessions.
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        sessionCapabilities: { resume: {}, close: {}, delete: {}, fork: {}, additionalDirectories: {} },
      },
      authMethods: [],
    };
  }

  async #attend(params: unknown): Promise<AttendResult> {
    const { answers = true } = parseAttendParams(params);
    const table = this.#table;
    await table.look();
    this.#unlisten();
    const news = new ChangeFeed(table, (told) => this.#tell(hubMethods.news, told));
    const leave = answers && this.#maySteer ? table.answerers.add() : (): void => {};
    const unlisten = table.listen({
      session: (key) => {
        news.session(key);
      },
      agents: () => {
        news.agents();
      },
      questions: (settled) => {
        news.questions(settled);
      },
      terminal: (sessionId, text) => {
        if (this.#watches.has(sessionId)) this.#terminalsOf(sessionId).take(text);
      },
      log: (sessionId, text) => {
        // One who reads too slowly misses some of it.
        if (!this.#watches.has(sessionId)) return;
        void this.#tell(hubMethods.log, { sessionId, text }).catch(() => undefined);
      },
    });
    this.#unlisten = () => {
      unlisten();
      leave();
    };
    // It may have gone while it was looked what there is.
    if (this.#connection.signal.aborted) this.#unlisten();
    return { ...table.shown, ...toAttendee(this.#principal) };
  }

  async #watch(params: unknown): Promise<object> {
    const table = this.#table;
    const { sessionId, after = 0 } = parseWatchParams(params);
    await table.expect(sessionId);
    const watch = this.#beginWatch(this.#watches, sessionId);
    const text = table.logOf(sessionId);
    if (text !== '') await this.#tell(hubMethods.log, { sessionId, text });
    const written = table.found(sessionId)?.terminals.whole ?? [];
    for (const terminal of written) this.#terminalsOf(sessionId).take(terminal);
    const send = (note: object): Promise<void> => this.#tell(hubMethods.events, note);
    void this.#follow(
      this.#watches,
      { sessionId, watch },
      watchSession({ sessionId, store: table.store, after, signal: watch.signal, send }),
    );
    return {};
  }

  async #watchFrames(params: unknown): Promise<object> {
    const { sessionId } = parseSessionParams(params);
    const log = await this.#table.framesOf(sessionId);
    const folder = this.#table.store.folderOf(sessionId);
    const watch = this.#beginWatch(this.#frameWatches, sessionId);
    const send = (note: object): Promise<void> => this.#tell(hubMethods.frames, note);
    void this.#follow(
      this.#frameWatches,
      { sessionId, watch },
      watchFrames({ sessionId, folder, log, signal: watch.signal, send }),
    );
    return {};
  }

  #terminalsOf(sessionId: string): TerminalFeed {
    const known = this.#terminals.get(sessionId);
    if (known !== undefined) return known;
    const feed = new TerminalFeed(
      (text) => this.#tell(hubMethods.terminal, { sessionId, ...text }),
      (terminalId) => {
        const whole = this.#table.found(sessionId)?.terminals.whole ?? [];
        return whole.find((text) => text.terminalId === terminalId);
      },
    );
    this.#terminals.set(sessionId, feed);
    return feed;
  }

  /** One watch of a session; an earlier one ends. @throws {RpcError} There are too many. */
  #beginWatch(watches: Map<string, AbortController>, sessionId: string): AbortController {
    const { limits } = this.#table;
    watches.get(sessionId)?.abort();
    watches.delete(sessionId);
    if (watches.size >= limits.watches) {
      throw invalidRequest(`${String(limits.watches)} sessions are watched already`);
    }
    const watch = new AbortController();
    watches.set(sessionId, watch);
    // The client may have gone while its session was looked for.
    if (this.#connection.signal.aborted) watch.abort();
    return watch;
  }

  async #follow(
    watches: Map<string, AbortController>,
    { sessionId, watch }: { readonly sessionId: string; readonly watch: AbortController },
    watched: Promise<void>,
  ): Promise<void> {
    try {
      await watched;
    } catch (error) {
      // The client is gone, or what it watched is.
      if (!this.#connection.signal.aborted) this.#table.options.onFault?.(error);
    } finally {
      if (watches.get(sessionId) === watch) {
        watches.delete(sessionId);
        if (watches === this.#watches) this.#terminals.delete(sessionId);
      }
    }
  }

  #tell(method: string, params: object): Promise<void> {
    return this.#connection.notify(method, params);
  }
}
