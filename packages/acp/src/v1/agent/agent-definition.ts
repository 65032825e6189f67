import type { Extension } from '../../extension.ts';
import type { ClientCapabilities, InitializeRequest } from '../../schema/v1/unstable.ts';
import type { AgentDescription } from '../initialize.ts';
import type { Handler, Handlers } from '../maps.ts';
import type { MethodTable, Reader } from '../method.ts';
import type { Sender } from '../peer.ts';
import type { Scope } from '../scope.ts';
import type { Additions } from './agent-handshake.ts';

/** An agent as its author described it, and the methods of the revision it speaks. */
export interface AgentDefinition<ClientPeer> extends AgentDescription {
  readonly methods: MethodTable;
  readonly clientMethods: MethodTable;
  readonly parseInitialize: Reader<InitializeRequest>;
  readonly initialize: Handler<InitializeRequest, unknown, Additions> | undefined;
  readonly handlers: Handlers;
  readonly extensions: ReadonlyMap<string, Extension<unknown>>;
  readonly notInitializedCode: number;
  readonly concurrentPrompts: 'refuse' | 'allow';
  readonly carriesTrace: boolean;
  createPeer(sender: Sender<ClientCapabilities>, scope: Scope): ClientPeer;
}
