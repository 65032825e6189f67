import type { Transport } from '@parley/wire';
import { acpCodes } from '../../acp-error.ts';
import { toExtensionMap } from '../../extension.ts';
import type { AgentCapabilities, ClientCapabilities, InitializeRequest } from '../../schema/v1/unstable.ts';
import { checkOptions } from '../check-options.ts';
import type { Handler, Handlers } from '../maps.ts';
import type { MethodTable, Reader } from '../method.ts';
import type { Sender } from '../peer.ts';
import type { Scope } from '../scope.ts';
import type { SideConnectOptions } from '../side-options.ts';
import type { Additions } from './agent-handshake.ts';
import type { AgentConnectionOf, AgentOf, AgentOptionsOf } from './agent-options.ts';
import { AgentSide } from './agent-side.ts';

/** What a revision of the protocol gives its agents. */
export interface AgentRevision<ClientPeer> {
  readonly methods: MethodTable;
  readonly clientMethods: MethodTable;
  readonly parseInitialize: Reader<InitializeRequest>;
  createPeer(sender: Sender<ClientCapabilities>, scope: Scope): ClientPeer;
}

/** Makes the agent of a revision. */
export function createAgentOf<ClientPeer>(
  revision: AgentRevision<ClientPeer>,
  options: AgentOptionsOf<AgentHandlersBase, ClientPeer, AgentCapabilities>,
): AgentOf<ClientPeer> {
  const { capabilities, authMethods, handlers, extensions = {} } = options;
  checkOptions(revision.methods, handlers, {
    side: 'agent',
    ...(capabilities !== undefined && { agent: capabilities }),
    ...(Array.isArray(authMethods) && { authMethods }),
  });
  const definition = {
    ...revision,
    ...options,
    initialize: handlers.initialize,
    extensions: toExtensionMap(extensions, revision.methods),
    notInitializedCode: options.notInitializedCode ?? acpCodes.invalidRequest,
    concurrentPrompts: options.concurrentPrompts ?? 'refuse',
    carriesTrace: options.traceContext !== 'off',
  };
  return {
    connect: (transport: Transport, connectOptions: SideConnectOptions = {}): AgentConnectionOf<ClientPeer> =>
      new AgentSide(definition, transport, connectOptions),
  };
}

/** An agent's handlers, as far as they are the same in each revision. */
export type AgentHandlersBase = Handlers & {
  readonly initialize?: Handler<InitializeRequest, unknown, Additions>;
};
