import type { AgentCapabilities, AuthMethod, ClientCapabilities } from '../../schema/v1/unstable.ts';

/** What both sides declared when they initialized. What is absent is not supported. */
export interface Declared {
  readonly agent: AgentCapabilities;
  readonly client: ClientCapabilities;
  readonly authMethods: readonly AuthMethod[];
}

/** The capability that a method, a field or a variant needs. */
export interface Gate {
  /** The side that has to declare it. */
  readonly by: 'agent' | 'client';
  /** Its name, as in `sessionCapabilities.close`. */
  readonly capability: string;
  isOpen(declared: Declared): boolean;
}

/** What an agent has to declare. */
export function byAgent(capability: string, markerOf: (capabilities: AgentCapabilities) => Marker): Gate {
  return { by: 'agent', capability, isOpen: ({ agent }) => isDeclared(markerOf(agent)) };
}

/** What a client has to declare. */
export function byClient(capability: string, markerOf: (capabilities: ClientCapabilities) => Marker): Gate {
  return { by: 'client', capability, isOpen: ({ client }) => isDeclared(markerOf(client)) };
}

/** A capability is `true`, or an object, which may be empty; `null` says no. */
function isDeclared(marker: Marker): boolean {
  return marker === true || (typeof marker === 'object' && marker !== null);
}

type Marker = boolean | object | null | undefined;
