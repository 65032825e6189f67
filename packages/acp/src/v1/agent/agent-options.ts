import type { CloseReason, Transport } from '@parley/wire';
import type { Extensions } from '../../extension.ts';
import type { Meta } from '../../meta.ts';
import type {
  AuthMethod,
  ClientCapabilities,
  Implementation,
  InitializeRequest,
  InitializeResponse,
} from '../../schema/v1/unstable.ts';
import type { Handler, NotificationMap, RequestMap } from '../maps.ts';
import type { SideConnectOptions } from '../side-options.ts';
import type { AgentContextOf, AgentNotificationContextOf, PromptContextOf } from './agent-context.ts';

/** What an agent carries out, by method name. What it has no handler for is answered -32601. */
export type AgentHandlersOf<
  Requests extends RequestMap<Requests>,
  Notifications extends NotificationMap<Notifications>,
  ClientPeer,
  Update,
> = {
  readonly [M in Extract<keyof Requests, Baseline>]: AgentHandler<Requests, M, ClientPeer, Update>;
} & {
  readonly [M in Exclude<keyof Requests, Baseline | 'initialize'>]?: AgentHandler<
    Requests,
    M,
    ClientPeer,
    Update
  >;
} & {
  readonly [M in keyof Notifications]?: Handler<
    Notifications[M]['params'],
    AgentNotificationContextOf<ClientPeer>,
    void
  >;
} & {
  /** May refuse the client, and add to the answer that is made of the options. */
  readonly initialize?: Handler<InitializeRequest, AgentContextOf<ClientPeer>, Partial<InitializeResponse>>;
};

type AgentHandler<
  Requests extends RequestMap<Requests>,
  M extends keyof Requests,
  ClientPeer,
  Update,
> = Handler<
  Requests[M]['params'],
  M extends 'session/prompt' | 'session/load'
    ? PromptContextOf<ClientPeer, Update>
    : AgentContextOf<ClientPeer>,
  Requests[M]['result']
>;

/** ACP v1, Initialization: what every agent has. `session/cancel` is seen to here. */
type Baseline = 'session/new' | 'session/prompt';

/** What makes an agent. */
export interface AgentOptionsOf<Handlers, ClientPeer, Capabilities> {
  /** What the agent declares to clients. */
  readonly info: Implementation;
  /** What the agent declares. Methods that need more are answered -32601, handler or not. @default none */
  readonly capabilities?: Capabilities;
  /** The ways to log in. Those of type `terminal` go to clients that can run one. @default none */
  readonly authMethods?: readonly AuthMethod[] | ((client: ClientCapabilities) => readonly AuthMethod[]);
  /** The `_meta` of the answer to `initialize`. @default none */
  readonly meta?: Meta;
  readonly handlers: Handlers;
  /** Methods that are not part of the protocol, by name. Those of a vendor are advertised. @default none */
  readonly extensions?: Extensions<AgentNotificationContextOf<ClientPeer>>;
  /** The code that answers a request before `initialize`. @default -32600 */
  readonly notInitializedCode?: number;
  /** What becomes of a prompt while another one of its session is not answered. @default 'refuse' */
  readonly concurrentPrompts?: 'refuse' | 'allow';
  /** Whether requests that a handler sends carry the trace context of its own request. @default 'forward' */
  readonly traceContext?: 'forward' | 'off';
}

/** An agent, ready for any number of clients. */
export interface AgentOf<ClientPeer> {
  /** Serves the client at the other end of a transport. */
  connect(transport: Transport, options?: SideConnectOptions): AgentConnectionOf<ClientPeer>;
}

/** An agent's end of a connection. */
export interface AgentConnectionOf<ClientPeer> extends AsyncDisposable {
  /** The client, called outside of any request. */
  readonly client: ClientPeer;
  /** Aborted as soon as the connection ends. */
  readonly signal: AbortSignal;
  /** Why the connection ended. Never rejects. */
  readonly closed: Promise<CloseReason>;
  close(): Promise<void>;
}
