import {
  connect,
  Invalid,
  RpcError,
  type CloseReason,
  type Connection,
  type RequestContext as WireRequest,
  type Transport,
} from '@parley/wire';
import type { AcpDiagnostic } from '../../diagnostic.ts';
import { invalidParams, unknownSession } from '../../refusal.ts';
import { CallContext } from '../call-context.ts';
import { IncomingNotifications } from '../incoming-notifications.ts';
import { acceptResult } from '../incoming.ts';
import type { Method } from '../method.ts';
import type { Declared } from '../rules/gate.ts';
import { noScope } from '../scope.ts';
import { SessionBook, sessionIdOf } from '../session-book.ts';
import type { SideConnectOptions } from '../side-options.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { AgentHandshake } from './agent-handshake.ts';
import type { AgentConnectionOf } from './agent-options.ts';
import { AgentRequests, type AgentRequestsOptions } from './agent-requests.ts';
import { AgentSender } from './agent-sender.ts';
import { ServedSession } from './served-session.ts';

/** An agent's end of one connection. */
export class AgentSide<ClientPeer> implements AgentConnectionOf<ClientPeer> {
  readonly client: ClientPeer;
  readonly #definition: AgentDefinition<ClientPeer>;
  readonly #report: (diagnostic: AcpDiagnostic) => void;
  readonly #handshake: AgentHandshake;
  readonly #sessions = new SessionBook(createSession);
  readonly #connection: Connection;
  readonly #calls: AgentRequestsOptions<ClientPeer>;
  readonly #requests: AgentRequests<ClientPeer>;
  readonly #notifications: IncomingNotifications;

  constructor(definition: AgentDefinition<ClientPeer>, transport: Transport, options: SideConnectOptions) {
    const { onDiagnostic } = options;
    this.#definition = definition;
    this.#report = (diagnostic) => {
      onDiagnostic?.(diagnostic);
    };
    this.#handshake = new AgentHandshake(definition);
    this.#connection = connect(transport, {
      ...options,
      laneOf: (_method, params) => sessionIdOf(params),
      onRequest: (method, params, request) => this.#onRequest(method, params, request),
      onNotification: (method, params) => this.#onNotification(method, params),
    });
    const sender = new AgentSender({
      connection: this.#connection,
      methods: definition.clientMethods,
      handshake: this.#handshake,
      sessions: this.#sessions,
    });
    this.#calls = { definition, sessions: this.#sessions, sender };
    this.#requests = new AgentRequests(this.#calls);
    this.#notifications = new IncomingNotifications({
      methods: definition.methods,
      handlers: definition.handlers,
      extensions: definition.extensions,
      createContext: (raw) => new CallContext(this.#calls, raw, this.#connection, null),
      prepare: (method, params) => this.#prepare(method, params),
      report: this.#report,
    });
    this.client = definition.createPeer(sender, noScope);
  }

  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  get closed(): Promise<CloseReason> {
    return this.#connection.closed;
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #onRequest(name: string, raw: unknown, request: WireRequest): unknown {
    if (name === 'initialize') return this.#initialize(raw, request);
    return this.#handshake.run<unknown>(
      (declared) => this.#serve(name, raw, request, declared),
      () => {
        const message = `${name}: the connection is not initialized`;
        throw new RpcError(this.#definition.notInitializedCode, message, { method: name });
      },
    );
  }

  #initialize(raw: unknown, request: WireRequest): unknown {
    this.#handshake.assertNew();
    const { parseInitialize, initialize, methods } = this.#definition;
    const params = parseInitialize(raw);
    if (params instanceof Invalid) throw invalidParams(params.path, params.expected);
    const context = new CallContext(this.#calls, raw, request, request);
    return this.#handshake.complete(params, initialize?.(params, context), (result, declared) => {
      const method = methods.get('initialize');
      if (method !== undefined) acceptResult(method, result, declared);
    });
  }

  #serve(name: string, raw: unknown, request: WireRequest, declared: Declared): unknown {
    const method = this.#definition.methods.get(name);
    if (method?.rule.mayBeRequest !== true) return this.#requests.serve(name, raw, request, declared);
    const params = this.#notifications.accept(method, raw, declared);
    const handled = this.#notifications.handle(method, params, raw);
    return handled === undefined ? {} : handled.then(() => ({}));
  }

  #onNotification(name: string, raw: unknown): void | Promise<void> {
    return this.#handshake.run<void | Promise<void>>(
      (declared) => this.#notifications.take(name, raw, declared),
      () => {
        const message = `${name}: ignored, the connection is not initialized`;
        this.#report({ code: 'not-initialized', message, method: name });
      },
    );
  }

  /** ACP v1, Prompt Turn: `session/cancel` ends what runs in the session. */
  #prepare(method: Method, params: unknown): void {
    if (method.rule.session !== 'cancels') return;
    const sessionId = sessionIdOf(params) ?? '';
    const session = this.#sessions.get(sessionId);
    if (session?.isUsable !== true && session?.isSubagent !== true) throw unknownSession(sessionId);
    session.cancel();
  }
}

function createSession(): ServedSession {
  return new ServedSession();
}
