import {
  type AgentCapabilities,
  type AgentNotifications,
  agentNotifications,
  type AgentRequests,
  agentRequests,
  type ClientCapabilities,
  type ClientNotifications,
  clientNotifications,
  type ClientRequests,
  clientRequests,
  type SessionUpdate,
} from '../schema/v1/unstable.ts';
import type { AgentContextOf, AgentNotificationContextOf, PromptContextOf } from './agent/agent-context.ts';
import type { AgentConnectionOf, AgentHandlersOf, AgentOf, AgentOptionsOf } from './agent/agent-options.ts';
import { createAgentOf } from './agent/agent.ts';
import type {
  ClientContextOf,
  ClientNotificationContextOf,
  UpdateContextOf,
} from './client/client-context.ts';
import type {
  ClientConnectionOf,
  ClientHandlersOf,
  ClientOf,
  ClientOptionsOf,
} from './client/client-options.ts';
import { createClientOf } from './client/client.ts';
import { createMethodTable } from './method.ts';
import { type AgentPeerOf, type Peer, ScopedPeer } from './peer.ts';
import { agentRules } from './rules/agent-methods.ts';
import { clientRules } from './rules/client-methods.ts';

/** The client, as an agent calls it. */
export type ClientPeer = Peer<ClientRequests, ClientNotifications, ClientCapabilities>;
/** The agent, as a client calls it. */
export type AgentPeer = AgentPeerOf<AgentRequests, AgentNotifications, AgentCapabilities>;

/** What an agent's request handler knows beside the params. */
export type AgentContext = AgentContextOf<ClientPeer>;
/** What an agent's handler of a notification, or of an extension, knows beside the params. */
export type AgentNotificationContext = AgentNotificationContextOf<ClientPeer>;
/** What the handlers of `session/prompt` and `session/load` know beside the params. */
export type PromptContext = PromptContextOf<ClientPeer, SessionUpdate>;
/** What an agent carries out, by method name. */
export type AgentHandlers = AgentHandlersOf<AgentRequests, AgentNotifications, ClientPeer, SessionUpdate>;
/** What makes an agent. */
export type AgentOptions = AgentOptionsOf<AgentHandlers, ClientPeer, AgentCapabilities>;
/** An agent, ready for any number of clients. */
export type Agent = AgentOf<ClientPeer>;
/** An agent's end of a connection. */
export type AgentConnection = AgentConnectionOf<ClientPeer>;

/** What a client's request handler knows beside the params. */
export type ClientContext = ClientContextOf<AgentPeer>;
/** What a client's handler of a notification, or of an extension, knows beside the params. */
export type ClientNotificationContext = ClientNotificationContextOf<AgentPeer>;
/** What the handler of `session/update` knows beside the params. */
export type UpdateContext = UpdateContextOf<AgentPeer>;
/** What a client carries out, by method name. */
export type ClientHandlers = ClientHandlersOf<ClientRequests, ClientNotifications, AgentPeer>;
/** What makes a client. */
export type ClientOptions = ClientOptionsOf<ClientHandlers, AgentPeer, ClientCapabilities>;
/** A client, ready for any number of agents. */
export type Client = ClientOf<AgentPeer>;
/** A client's end of a connection. */
export type ClientConnection = ClientConnectionOf<AgentPeer>;

/**
 * Makes an agent. The protocol is kept for it: see the package's README.
 *
 * @throws {AcpError} `invalid-options`: it declares what it has no handler for.
 */
export function createAgent(options: AgentOptions): Agent {
  return createAgentOf<ClientPeer>(
    {
      methods: agentMethods,
      clientMethods,
      parseInitialize: agentRequests.initialize.parseParams,
      createPeer: (sender, scope) =>
        new ScopedPeer<ClientRequests, ClientNotifications, ClientCapabilities>(
          sender,
          clientRequests,
          scope,
        ),
    },
    options,
  );
}

/**
 * Makes a client. The protocol is kept for it: see the package's README.
 *
 * @throws {AcpError} `invalid-options`: it declares what it has no handler for.
 */
export function createClient(options: ClientOptions): Client {
  return createClientOf<AgentPeer>(
    {
      methods: clientMethods,
      agentMethods,
      parseInitialized: agentRequests.initialize.parseResult,
      parseUpdate: clientNotifications['session/update'].parseParams,
      createPeer: (sender, scope) =>
        new ScopedPeer<AgentRequests, AgentNotifications, AgentCapabilities>(sender, agentRequests, scope),
    },
    options,
  );
}

const agentMethods = createMethodTable({ ...agentRequests, ...agentNotifications }, agentRules);
const clientMethods = createMethodTable({ ...clientRequests, ...clientNotifications }, clientRules);
