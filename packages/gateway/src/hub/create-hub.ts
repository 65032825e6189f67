import type { Transport } from '@parley/wire';
import { AcpConnection, type AcpConnectionOptions } from '../acp/acp-connection.ts';
import { performCommand } from '../acp/owner/perform-here.ts';
import type { HubOptions } from './hub-options.ts';
import { HubSessions } from './sessions/hub-sessions.ts';

/** The sessions of all agents, and their clients. */
export interface Hub {
  /** Number of connected clients. */
  readonly clients: number;
  /** Number of questions that wait for a user. */
  readonly questions: number;
  /** Whether the limit of clients is reached. */
  readonly isFull: boolean;
  readonly table: HubSessions;
  /** Begins to serve together with other replicas, where there are any. */
  join(): Promise<void>;
  /** Serves the client at the other end of a transport. Settles when it has disconnected. */
  connect(transport: Transport, options: AcpConnectionOptions): Promise<void>;
  /** Grants running turns a grace period, then ends all agents and clients. Sessions remain stored. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Creates a hub. Nothing is started or read before the first request. */
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
    join: async () => table.replicas?.join((command) => performCommand(table, command)),
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
