import type { AgentConnection, SideConnectOptions } from '@parley/acp';
import type { Transport } from '@parley/wire';
import { createCodingAgent } from '../coding-agent.ts';
import type { CodingAgentOptions } from '../coding-agent.ts';
import { createNodeEnvironment } from './environment.ts';

/** The agent's options, and how it is connected. */
export interface ServeAgentOptions extends CodingAgentOptions {
  readonly transport: Transport;
  /** @default the connection's own */
  readonly connection?: SideConnectOptions;
}

/** Serves our agent, working on this machine, to the client at the other end of a transport. */
export function serveAgent({ transport, connection, ...options }: ServeAgentOptions): AgentConnection {
  return createCodingAgent(createNodeEnvironment(), options).connect(transport, connection);
}
