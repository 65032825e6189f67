import { invalidRequest, methodNotFound, protocolVersion } from '@parley/acp';
import { deskMethods, type AttendResult } from '@parley/host/desk';
import {
  connect,
  RpcError,
  rpcCodes,
  type Connection,
  type RequestContext,
  type Transport,
} from '@parley/wire';
import type { Principal } from '../access/token.ts';
import { toAttendee } from './attendee.ts';
import { parseSessionParams, parseWatchParams } from './desk-params.ts';
import type { DeskTable } from './desk-table.ts';
import { readAnswers } from './lasting-answers.ts';
import { News } from './news.ts';
import { watchSession } from './session-watch.ts';
import { steering } from './steering.ts';
import { toRpcError } from './to-rpc-error.ts';

/**
 * A client of the desk. Towards it, the desk is an agent, all of whose sessions are open: what needs an agent process starts
 * one, so that a client which comes back need not know what it had taken up.
 */
export class DeskClient {
  readonly #table: DeskTable;
  readonly #principal: Principal;
  readonly #connection: Connection;
  readonly #watches = new Map<string, AbortController>();
  #unlisten: () => void = () => {};

  /** Serves the client at the other end of a transport. */
  constructor(table: DeskTable, transport: Transport, principal: Principal) {
    this.#table = table;
    this.#principal = principal;
    this.#connection = connect(transport, {
      onRequest: (method, params, request) => this.#answer(method, params, request),
      onNotification: (method, params) => this.#hear(method, params),
    });
    this.#connection.signal.addEventListener('abort', () => {
      this.#unlisten();
      for (const watch of this.#watches.values()) watch.abort();
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
      return await (this.#look(method, params) ?? this.#steer(method, params, request));
    } catch (error) {
      const told = toRpcError(error);
      if (told !== undefined) throw told;
      this.#table.options.onFault?.(error);
      throw new RpcError(rpcCodes.internalError, `${method}: it failed here`);
    }
  }

  /** What changes nothing, and so everybody may. */
  #look(method: string, params: unknown): Promise<object> | undefined {
    switch (method) {
      case 'initialize':
        return Promise.resolve(this.#introduce());
      case deskMethods.attend:
        return this.#attend();
      case deskMethods.watch:
        return this.#watch(params);
      case deskMethods.unwatch:
        this.#watches.get(parseSessionParams(params).sessionId)?.abort();
        return Promise.resolve({});
      case deskMethods.answers:
        return readAnswers(this.#table.options.answersFile).then((answers) => ({ answers }));
      default:
        return undefined;
    }
  }

  #steer(method: string, params: unknown, { signal }: RequestContext): Promise<object> {
    const steer = steering.get(method);
    if (steer === undefined) throw methodNotFound(method);
    if (this.#principal.scope !== 'admin') throw invalidRequest(`${method}: this token may only look`);
    const cancelled = new AbortController();
    signal.addEventListener('abort', () => {
      if (!this.#connection.signal.aborted) cancelled.abort();
    });
    return steer(params, { table: this.#table, person: this.#principal.name, signal: cancelled.signal });
  }

  /** `session/cancel` is a notification. */
  async #hear(method: string, params: unknown): Promise<void> {
    if (method !== 'session/cancel' || this.#principal.scope !== 'admin') return;
    try {
      await this.#table.found(parseSessionParams(params).sessionId)?.cancel();
    } catch {
      // Nobody waits for an answer; that the turn goes on is seen in its events.
    }
  }

  #introduce(): object {
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

  async #attend(): Promise<AttendResult> {
    const table = this.#table;
    await table.look();
    this.#unlisten();
    const news = new News(table, (told) => this.#tell(deskMethods.news, told));
    this.#unlisten = table.listen({
      session: (key) => {
        news.session(key);
      },
      agents: () => {
        news.agents();
      },
      questions: (settled) => {
        news.questions(settled);
      },
      log: (sessionId, text) => {
        // One who reads too slowly misses some of it.
        if (!this.#watches.has(sessionId)) return;
        void this.#tell(deskMethods.log, { sessionId, text }).catch(() => undefined);
      },
    });
    return { ...table.shown, ...toAttendee(this.#principal) };
  }

  async #watch(params: unknown): Promise<object> {
    const table = this.#table;
    const { sessionId, after = 0 } = parseWatchParams(params);
    const folder = await table.folderOf(sessionId);
    this.#watches.get(sessionId)?.abort();
    this.#watches.delete(sessionId);
    if (this.#watches.size >= table.limits.watches) {
      throw invalidRequest(
        `${deskMethods.watch}: ${String(table.limits.watches)} sessions are watched already`,
      );
    }
    const watch = new AbortController();
    this.#watches.set(sessionId, watch);
    const text = table.logOf(sessionId);
    if (text !== '') await this.#tell(deskMethods.log, { sessionId, text });
    void this.#follow(sessionId, { folder, after, watch });
    return {};
  }

  async #follow(
    sessionId: string,
    {
      folder,
      after,
      watch,
    }: { readonly folder: string; readonly after: number; readonly watch: AbortController },
  ): Promise<void> {
    try {
      await watchSession({
        sessionId,
        folder,
        after,
        signal: watch.signal,
        send: (note) => this.#tell(deskMethods.events, note),
      });
    } catch (error) {
      // The client is gone, or the journal is.
      if (!this.#connection.signal.aborted) this.#table.options.onFault?.(error);
    } finally {
      if (this.#watches.get(sessionId) === watch) this.#watches.delete(sessionId);
    }
  }

  #tell(method: string, params: object): Promise<void> {
    return this.#connection.notify(method, params);
  }
}
