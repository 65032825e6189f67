import type { Transport } from '@parley/wire';
import { toExtensionMap } from '../../extension.ts';
import type { AgentCapabilities, ClientCapabilities, InitializeResponse } from '../../schema/v1/unstable.ts';
import { checkOptions } from '../check-options.ts';
import type { AnyHandler, Handlers } from '../maps.ts';
import type { MethodTable, Reader } from '../method.ts';
import type { Sender } from '../peer.ts';
import type { Scope } from '../scope.ts';
import type { SideConnectOptions } from '../side-options.ts';
import type { IncomingUpdate } from './client-definition.ts';
import type { ClientConnectionOf, ClientOf, ClientOptionsOf } from './client-options.ts';
import { ClientSide } from './client-side.ts';

/** What a revision of the protocol gives its clients. */
export interface ClientRevision<AgentPeer> {
  readonly methods: MethodTable;
  readonly agentMethods: MethodTable;
  readonly parseInitialized: Reader<InitializeResponse>;
  readonly parseUpdate: Reader<IncomingUpdate>;
  createPeer(sender: Sender<AgentCapabilities>, scope: Scope): AgentPeer;
}

/** A client's handlers, as far as they are the same in each revision. */
export type ClientHandlersBase = Handlers & { readonly 'session/update': AnyHandler };

/** Makes the client of a revision. */
export function createClientOf<AgentPeer>(
  revision: ClientRevision<AgentPeer>,
  options: ClientOptionsOf<ClientHandlersBase, AgentPeer, ClientCapabilities>,
): ClientOf<AgentPeer> {
  const { capabilities, handlers, extensions = {} } = options;
  checkOptions(revision.methods, handlers, {
    side: 'client',
    ...(capabilities !== undefined && { client: capabilities }),
  });
  const definition = {
    ...revision,
    ...options,
    onUpdate: handlers['session/update'],
    extensions: toExtensionMap(extensions, revision.methods),
    carriesTrace: options.traceContext !== 'off',
  };
  return {
    connect: (transport: Transport, connectOptions: SideConnectOptions = {}): ClientConnectionOf<AgentPeer> =>
      new ClientSide(definition, transport, connectOptions),
  };
}
