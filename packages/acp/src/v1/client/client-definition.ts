import type { Extension, OtherExtensions } from '../../extension.ts';
import type { AgentCapabilities, InitializeResponse } from '../../schema/v1/unstable.ts';
import type { ClientDescription } from '../initialize.ts';
import type { AnyHandler, Handlers } from '../maps.ts';
import type { MethodTable, Reader } from '../method.ts';
import type { Sender } from '../peer.ts';
import type { Scope } from '../scope.ts';

/** A client as its author described it, and the methods of the revision it speaks. */
export interface ClientDefinition<AgentPeer> extends ClientDescription {
  readonly methods: MethodTable;
  readonly agentMethods: MethodTable;
  readonly parseInitialized: Reader<InitializeResponse>;
  readonly parseUpdate: Reader<IncomingUpdate>;
  readonly onUpdate: AnyHandler;
  readonly handlers: Handlers;
  readonly extensions: ReadonlyMap<string, Extension<unknown>>;
  readonly otherExtensions?: OtherExtensions<unknown>;
  readonly carriesTrace: boolean;
  createPeer(sender: Sender<AgentCapabilities>, scope: Scope): AgentPeer;
}

/** The params of `session/update`, as far as they matter here. */
export interface IncomingUpdate {
  readonly sessionId: string;
  readonly update: {
    readonly sessionUpdate: string;
    readonly sessionId?: unknown;
    readonly capabilities?: unknown;
  };
}
