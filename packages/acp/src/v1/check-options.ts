import { AcpError } from '../acp-error.ts';
import type { AgentCapabilities, AuthMethod, ClientCapabilities } from '../schema/v1/unstable.ts';
import type { Handlers } from './maps.ts';
import type { MethodTable } from './method.ts';

/** What a side declares, as far as it is known before a peer connects. */
export interface DeclaredOptions {
  readonly side: 'agent' | 'client';
  readonly agent?: AgentCapabilities;
  readonly client?: ClientCapabilities;
  readonly authMethods?: readonly AuthMethod[];
}

/**
 * A side declares only what it has a handler for.
 *
 * @throws {AcpError} `invalid-options`.
 */
export function checkOptions(
  methods: MethodTable,
  handlers: Handlers,
  { side, agent = {}, client = {}, authMethods = [] }: DeclaredOptions,
): void {
  const declared = { agent, client, authMethods };
  for (const { name, kind, rule } of methods.values()) {
    if (kind !== 'request' || rule.gate?.by !== side || handlers[name] !== undefined) continue;
    if (!rule.gate.isOpen(declared)) continue;
    const message = `the ${side} declares ${rule.gate.capability}, and has no handler for ${name}`;
    throw new AcpError('invalid-options', message, { method: name });
  }
  if (handlers['authenticate'] === undefined && authMethods.some((method) => method.type !== 'terminal')) {
    const message = 'the agent offers ways to log in, and has no handler for authenticate';
    throw new AcpError('invalid-options', message, { method: 'authenticate' });
  }
}
