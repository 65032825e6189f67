import type { Transport } from '@parley/wire';
import { AcpConnection, type AcpConnectionOptions } from '../acp/acp-connection.ts';
import { performCommand } from '../acp/owner/perform-here.ts';
import type { AgentOffer } from './agents/agent-offer.ts';
import type { HubOptions } from './hub-options.ts';
import { HubSessions } from './sessions/hub-sessions.ts';

/** The sessions of all agents, and their clients. */
export class Hub {
  readonly #table: HubSessions;
  readonly #clients = new Set<AcpConnection>();

  constructor(options: HubOptions) {
    this.#table = new HubSessions(options);
  }

  /** The sessions of a hub, for its routes. */
  static sessionsOf(hub: Hub): HubSessions {
    return hub.#table;
  }

  /** Number of connected clients. */
  get clients(): number {
    return this.#clients.size;
  }

  /** Number of questions that wait for a user. */
  get questions(): number {
    return this.#table.questions.length;
  }

  /** Whether the limit of clients is reached. */
  get isFull(): boolean {
    return this.#clients.size >= this.#table.limits.clients;
  }

  /** Takes what an agent offers, from a probe of it. */
  learn(agent: string, offer: Required<AgentOffer>): void {
    this.#table.agents.learn(agent, offer);
  }

  /** Finds the agents that were installed, added or removed since. Never rejects. */
  findAgents(): Promise<void> {
    return this.#table.agents.look();
  }

  /** Begins to serve together with other replicas, where there are any. */
  async join(): Promise<void> {
    await this.#table.replicas?.join((command) => performCommand(this.#table, command));
  }

  /** Serves the client at the other end of a transport. Settles when it has disconnected. */
  async connect(transport: Transport, options: AcpConnectionOptions): Promise<void> {
    const client = new AcpConnection(this.#table, transport, options);
    this.#clients.add(client);
    await client.closed;
    this.#clients.delete(client);
  }

  /** Grants running turns a grace period, then ends all agents and clients. Sessions remain stored. */
  async close({ graceMs = 0 }: { readonly graceMs?: number } = {}): Promise<void> {
    await this.#table.close(graceMs);
    await Promise.all(Array.from(this.#clients, (client) => client.close()));
  }
}

/** Creates a hub. Nothing is started or read before the first request. */
export function createHub(options: HubOptions): Hub {
  return new Hub(options);
}
