import type { Connection, RequestOptions } from '@parley/wire';
import { AcpError } from '../../acp-error.ts';
import type { ClientCapabilities } from '../../schema/v1/unstable.ts';
import type { MethodRule, MethodTable } from '../method.ts';
import { findFault, readResult } from '../outgoing.ts';
import { type Described, type OutgoingRequest, type Sender, toRequestOptions } from '../peer.ts';
import { isTurnUpdate } from '../rules/session-update.ts';
import { inTrace, isCancellation, type Scope, signalIn } from '../scope.ts';
import type { SessionBook } from '../session-book.ts';
import type { AgentHandshake } from './agent-handshake.ts';
import type { ServedSession } from './served-session.ts';

/** What an agent's calls need. */
export interface AgentSenderOptions {
  readonly connection: Connection;
  readonly methods: MethodTable;
  readonly handshake: AgentHandshake;
  readonly sessions: SessionBook<ServedSession>;
}

/** Where updates of a turn belong: a turn, a replay, or a session. */
export interface UpdateWindow {
  /** Whether they may be sent now. */
  readonly takesUpdates: boolean;
}

/** The params of `session/update`, as far as they matter here. */
export interface OutgoingUpdate {
  readonly sessionId: string;
  readonly update: { readonly sessionUpdate: string; readonly sessionId?: unknown };
}

/** What an agent sends: only what the protocol allows, and nothing that has lost its purpose. */
export class AgentSender implements Sender<ClientCapabilities> {
  readonly #options: AgentSenderOptions;

  constructor(options: AgentSenderOptions) {
    this.#options = options;
  }

  get described(): Described<ClientCapabilities> {
    return this.#options.handshake.described;
  }

  get methods(): MethodTable {
    return this.#options.methods;
  }

  /**
   * A request on behalf of one that is cancelled meanwhile settles at once, and the client is notified. What is sent
   * later runs freely: a cancelled turn still has terminals to release. Only the user is not asked any more.
   *
   * ACP v1, Tool Calls: a permission request is answered `cancelled` by a client that cancels the turn. Its `session/cancel`
   * may come later than that answer, which cancels the turn already.
   */
  request<Result>(request: OutgoingRequest<Result>): Promise<Result> {
    const { method, params, parseResult, options, scope } = request;
    const fault = this.#findFault(method, params);
    if (fault !== undefined) return Promise.reject(fault);
    const rule = this.#options.methods.get(method)?.rule;
    if (rule?.cancelled !== undefined) {
      const isOver = scope.signal?.aborted === true;
      return isOver
        ? Promise.resolve(readResult(method, parseResult, rule.cancelled))
        : this.#ask(request, rule);
    }
    const read = (raw: unknown): Result => readResult(method, parseResult, raw);
    return this.#send(request, toRequestOptions(options, signalIn(scope, options.signal), read));
  }

  /** Asks the user, who is not waited for once the turn is cancelled. */
  async #ask<Result>(request: OutgoingRequest<Result>, rule: MethodRule): Promise<Result> {
    const { method, parseResult, options, scope } = request;
    const read = (raw: unknown): Result => {
      const result = readResult(method, parseResult, raw);
      if (rule.isCancelled?.(result) === true) scope.cancelTurn?.();
      return result;
    };
    try {
      return await this.#send(request, toRequestOptions(options, signalIn(scope, options.signal), read));
    } catch (error) {
      const isWithdrawn = scope.signal?.aborted === true && options.signal?.aborted !== true;
      if (!isWithdrawn || !isCancellation(error)) throw error;
      return readResult(method, parseResult, rule.cancelled);
    }
  }

  #send<Result>(request: OutgoingRequest<Result>, options: RequestOptions<Result>): Promise<Result> {
    const { method, params, scope } = request;
    return this.#options.connection.request(method, inTrace(params, scope), options);
  }

  notify(name: string, params: object, scope: Scope): Promise<void> {
    if (name === 'session/update' && isUpdate(params)) {
      const session = this.#options.sessions.get(params.sessionId);
      return this.update(params, session ?? anyTime, scope);
    }
    return this.#notify(name, params, scope);
  }

  /** Sends an update of a session. What is of a turn is not sent when its window is closed. */
  update(params: OutgoingUpdate, window: UpdateWindow, scope: Scope): Promise<void> {
    const { sessionId, update } = params;
    if (!window.takesUpdates && isTurnUpdate(update.sessionUpdate)) {
      const message = `session/update: not sent: no turn is running in session ${sessionId} (${update.sessionUpdate})`;
      return Promise.reject(new AcpError('turn-ended', message, { method: 'session/update' }));
    }
    if (update.sessionUpdate === 'subagent_update' && typeof update.sessionId === 'string') {
      const { sessions } = this.#options;
      sessions.open(update.sessionId).announce();
      sessions.get(sessionId)?.addSubagent(update.sessionId);
    }
    return this.#notify('session/update', params, scope);
  }

  #notify(name: string, params: object, scope: Scope): Promise<void> {
    const fault = this.#findFault(name, params);
    if (fault !== undefined) return Promise.reject(fault);
    return this.#options.connection.notify(name, inTrace(params, scope));
  }

  #findFault(name: string, params: object): AcpError | undefined {
    const { declared } = this.#options.handshake;
    if (declared === undefined) {
      const message = `${name}: not sent: the client has not initialized`;
      return new AcpError('not-initialized', message, { method: name });
    }
    const method = this.#options.methods.get(name);
    return method && findFault(method, params, declared);
  }
}

const anyTime: UpdateWindow = { takesUpdates: true };

function isUpdate(params: object): params is OutgoingUpdate {
  return (
    'sessionId' in params &&
    typeof params.sessionId === 'string' &&
    'update' in params &&
    typeof params.update === 'object' &&
    params.update !== null &&
    'sessionUpdate' in params.update &&
    typeof params.update.sessionUpdate === 'string'
  );
}
