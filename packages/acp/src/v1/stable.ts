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
} from '../schema/v1/stable.ts';
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

/** The client, as called by an agent. */
export type ClientPeer = Peer<ClientRequests, ClientNotifications, ClientCapabilities>;
/** The agent, as called by a client. */
export type AgentPeer = AgentPeerOf<AgentRequests, AgentNotifications, AgentCapabilities>;

/** The context of an agent's request handlers. */
export type AgentContext = AgentContextOf<ClientPeer>;
/** The context of an agent's notification and extension handlers. */
export type AgentNotificationContext = AgentNotificationContextOf<ClientPeer>;
/** The context of the handlers of `session/prompt` and `session/load`. */
export type PromptContext = PromptContextOf<ClientPeer, SessionUpdate>;
/** The handlers of an agent, by method name. */
export type AgentHandlers = AgentHandlersOf<AgentRequests, AgentNotifications, ClientPeer, SessionUpdate>;
/** Options of `createAgent`. */
export type AgentOptions = AgentOptionsOf<AgentHandlers, ClientPeer, AgentCapabilities>;
/** An agent that can be connected to any number of clients. */
export type Agent = AgentOf<ClientPeer>;
/** An agent's end of a connection. */
export type AgentConnection = AgentConnectionOf<ClientPeer>;

/** The context of a client's request handlers. */
export type ClientContext = ClientContextOf<AgentPeer>;
/** The context of a client's notification and extension handlers. */
export type ClientNotificationContext = ClientNotificationContextOf<AgentPeer>;
/** The context of the handler of `session/update`. */
export type UpdateContext = UpdateContextOf<AgentPeer>;
/** The handlers of a client, by method name. */
export type ClientHandlers = ClientHandlersOf<ClientRequests, ClientNotifications, AgentPeer>;
/** Options of `createClient`. */
export type ClientOptions = ClientOptionsOf<ClientHandlers, AgentPeer, ClientCapabilities>;
/** A client that can be connected to any number of agents. */
export type Client = ClientOf<AgentPeer>;
/** A client's end of a connection. */
export type ClientConnection = ClientConnectionOf<AgentPeer>;

/**
 * Creates an agent. The library enforces the protocol; see the README of the package.
 *
 * @throws {AcpError} `invalid-options`: the agent declares a capability without a handler.
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
 * Creates a client. The library enforces the protocol; see the README of the package.
 *
 * @throws {AcpError} `invalid-options`: the client declares a capability without a handler.
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
