import type { CloseReason, Transport } from '@parley/wire';
import type { Extensions, OtherExtensions } from '../../extension.ts';
import type { Meta } from '../../meta.ts';
import type { Implementation, InitializeResponse } from '../../schema/v1/unstable.ts';
import type { Handler, NotificationMap, RequestMap } from '../maps.ts';
import type { CallOptions } from '../peer.ts';
import type { SideConnectOptions } from '../side-options.ts';
import type { ClientContextOf, ClientNotificationContextOf, UpdateContextOf } from './client-context.ts';

/** What a client carries out, by method name. What it has no handler for is answered -32601. */
export type ClientHandlersOf<
  Requests extends RequestMap<Requests>,
  Notifications extends NotificationMap<Notifications>,
  AgentPeer,
> = {
  readonly [M in Extract<keyof Requests, 'session/request_permission'>]: ClientHandler<
    Requests,
    M,
    AgentPeer
  >;
} & {
  readonly [M in Exclude<keyof Requests, 'session/request_permission'>]?: ClientHandler<
    Requests,
    M,
    AgentPeer
  >;
} & {
  /** Called in the order the updates came; one that returns a promise holds back the next of its session. */
  readonly [M in Extract<keyof Notifications, 'session/update'>]: Handler<
    Notifications[M]['params'],
    UpdateContextOf<AgentPeer>,
    void
  >;
} & {
  readonly [M in Exclude<keyof Notifications, 'session/update'>]?: Handler<
    Notifications[M]['params'],
    ClientNotificationContextOf<AgentPeer>,
    void
  >;
};

type ClientHandler<Requests extends RequestMap<Requests>, M extends keyof Requests, AgentPeer> = Handler<
  Requests[M]['params'],
  ClientContextOf<AgentPeer>,
  Requests[M]['result']
>;

/** What makes a client. */
export interface ClientOptionsOf<Handlers, AgentPeer, Capabilities> {
  /** What the client declares to agents. */
  readonly info: Implementation;
  /** What the client declares. Methods that need more are answered -32601, handler or not. @default none */
  readonly capabilities?: Capabilities;
  readonly handlers: Handlers;
  /** Methods that are not part of the protocol, by name. Those of a vendor are advertised. @default none */
  readonly extensions?: Extensions<ClientNotificationContextOf<AgentPeer>>;
  /** Carries out all other methods that are not part of the protocol. @default nothing does */
  readonly otherExtensions?: OtherExtensions<ClientNotificationContextOf<AgentPeer>>;
  /** Whether requests that a handler sends carry the trace context of its own request. @default 'forward' */
  readonly traceContext?: 'forward' | 'off';
}

/** A client, ready for any number of agents. */
export interface ClientOf<AgentPeer> {
  /** Speaks with the agent at the other end of a transport. `initialize` comes first. */
  connect(transport: Transport, options?: SideConnectOptions): ClientConnectionOf<AgentPeer>;
}

/** Options of `initialize`. */
export interface InitializeOptions extends CallOptions {
  /** The `_meta` of the params. @default none */
  readonly meta?: Meta;
}

/** A client's end of a connection. */
export interface ClientConnectionOf<AgentPeer> extends AsyncDisposable {
  /** The agent, called outside of any request. */
  readonly agent: AgentPeer;
  /**
   * Sends the agent what the client is and can do, and receives the same of the agent. Once; if it fails, again.
   *
   * @throws {AcpError} `unsupported-version`: the agent speaks another version; the connection is closed.
   */
  initialize(options?: InitializeOptions): Promise<InitializeResponse>;
  /** Aborted as soon as the connection ends. */
  readonly signal: AbortSignal;
  /** Why the connection ended. Never rejects. */
  readonly closed: Promise<CloseReason>;
  close(): Promise<void>;
}
