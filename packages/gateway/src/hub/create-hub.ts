import type { Transport } from '@parley/wire';
import { AcpConnection, type AcpConnectionOptions } from '../acp/acp-connection.ts';
import type { HubOptions } from './hub-options.ts';
import { HubSessions } from './hub-sessions.ts';

/** The sessions of all agents, and the clients that have them open. */
export interface Hub {
  /** Clients that are connected. */
  readonly clients: number;
  /** Questions that wait for a user. */
  readonly questions: number;
  /** Whether another client would be too many. */
  readonly isFull: boolean;
  readonly table: HubSessions;
  /** Serves the client at the other end of a transport. Settles when it has gone. */
  connect(transport: Transport, options: AcpConnectionOptions): Promise<void>;
  /** Lets turns that run go on for a while, and ends all agents and clients. The sessions are kept. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Makes a hub. Nothing is started, and nothing is read, before the first request. */
export function createHub(options: HubOptions): Hub {
  const table = new HubSessions(options);
  const clients = new Set<AcpConnection>();
  return {
    table,
    get clients() {
      return clients.size;
    },
    get questions() {
      return table.questions.length;
    },
    get isFull() {
      return clients.size >= table.limits.clients;
    },
    connect: async (transport, whose) => {
      const client = new AcpConnection(table, transport, whose);
      clients.add(client);
      await client.closed;
      clients.delete(client);
    },
    close: async ({ graceMs = 0 } = {}) => {
      await table.close(graceMs);
      await Promise.all(Array.from(clients, (client) => client.close()));
    },
  };
}
