import {
  connect,
  type CloseReason,
  type Connection,
  type ParamTexts,
  type RequestContext as WireRequest,
  type Transport,
} from '@parley/wire';
import { AcpError } from '../../acp-error.ts';
import type { AcpDiagnostic } from '../../diagnostic.ts';
import { invalidRequest } from '../../refusal.ts';
import type { InitializeResponse } from '../../schema/v1/unstable.ts';
import { CallContext } from '../call-context.ts';
import { IncomingNotifications } from '../incoming-notifications.ts';
import { createInitializeParams } from '../initialize.ts';
import { readResult } from '../outgoing.ts';
import { noScope } from '../scope.ts';
import { SessionBook } from '../session-book.ts';
import type { SideConnectOptions } from '../side-options.ts';
import { UpdateReceiver } from '../update-receiver.ts';
import { UpdateContext } from './client-context.ts';
import type { ClientDefinition } from './client-definition.ts';
import { ClientHandshake } from './client-handshake.ts';
import type { ClientConnectionOf, InitializeOptions } from './client-options.ts';
import { ClientRequests } from './client-requests.ts';
import { ClientSender } from './client-sender.ts';
import { ClientSession } from './client-session.ts';
import { SubagentTree } from './subagent-tree.ts';

/** A client's end of one connection. */
export class ClientSide<AgentPeer> implements ClientConnectionOf<AgentPeer> {
  readonly agent: AgentPeer;
  readonly #definition: ClientDefinition<AgentPeer>;
  readonly #report: (diagnostic: AcpDiagnostic) => void;
  readonly #handshake: ClientHandshake;
  readonly #connection: Connection;
  readonly #requests: ClientRequests<AgentPeer>;
  readonly #notifications: IncomingNotifications;
  readonly #updates: UpdateReceiver;

  constructor(definition: ClientDefinition<AgentPeer>, transport: Transport, options: SideConnectOptions) {
    const { onDiagnostic } = options;
    this.#definition = definition;
    this.#report = (diagnostic) => {
      onDiagnostic?.(diagnostic);
    };
    this.#handshake = new ClientHandshake(definition.capabilities ?? {});
    const createSession = (): ClientSession =>
      new ClientSession(new UpdateContext(this.agent, this.#connection));
    const sessions = new SessionBook(createSession);
    const subagents = new SubagentTree((sessionId) => sessions.get(sessionId) !== undefined);
    this.#connection = connect(transport, {
      ...options,
      laneOf: (method, params) => subagents.laneOf(method, params),
      onRequest: (method, params, request) => this.#onRequest(method, params, request),
      onNotification: (method, params, _connection, texts) => this.#onNotification(method, params, texts),
    });
    const sender = new ClientSender({
      connection: this.#connection,
      methods: definition.agentMethods,
      handshake: this.#handshake,
      sessions,
      subagents,
    });
    this.agent = definition.createPeer(sender, noScope);
    const calls = { definition, sessions, sender };
    this.#requests = new ClientRequests(calls);
    this.#notifications = new IncomingNotifications({
      methods: definition.methods,
      handlers: definition.handlers,
      extensions: definition.extensions,
      ...(definition.otherExtensions !== undefined && { otherExtensions: definition.otherExtensions }),
      createContext: (raw) => new CallContext(calls, raw, this.#connection, null),
      report: this.#report,
    });
    this.#updates = new UpdateReceiver({
      parseUpdate: definition.parseUpdate,
      onUpdate: definition.onUpdate,
      sessions,
      subagents,
      createSession,
      report: this.#report,
    });
  }

  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  get closed(): Promise<CloseReason> {
    return this.#connection.closed;
  }

  async initialize({ meta, ...options }: InitializeOptions = {}): Promise<InitializeResponse> {
    this.#handshake.begin();
    try {
      return await this.#connection.request('initialize', createInitializeParams(this.#definition, meta), {
        ...options,
        read: (result) => {
          const answer = readResult('initialize', this.#definition.parseInitialized, result);
          this.#handshake.complete(answer);
          return answer;
        },
      });
    } catch (error) {
      this.#handshake.abandon();
      if (error instanceof AcpError && error.code === 'unsupported-version') {
        await this.#connection.close({ code: 'local', message: error.message });
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #onRequest(name: string, raw: unknown, request: WireRequest): unknown {
    if (this.#handshake.isNew) throw invalidRequest(`${name}: the connection is not initialized`);
    return this.#requests.serve(name, raw, request, this.#handshake.declared);
  }

  #onNotification(name: string, raw: unknown, texts: ParamTexts | undefined): void | Promise<void> {
    if (this.#handshake.isNew) {
      const message = `${name}: ignored, the connection is not initialized`;
      return this.#report({ code: 'not-initialized', message, method: name });
    }
    if (name === 'session/update') return this.#updates.take(raw, texts);
    return this.#notifications.take(name, raw, this.#handshake.declared);
  }
}
