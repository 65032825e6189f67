import type { Transport } from '@parley/wire';
import type { Principal } from '../access/token.ts';
import { DeskClient } from './desk-client.ts';
import type { DeskOptions } from './desk-options.ts';
import { DeskTable } from './desk-table.ts';

/** The sessions of all agents, which several clients watch and steer. */
export interface Desk {
  /** Clients that are connected. */
  readonly clients: number;
  /** Questions that wait for a person. */
  readonly questions: number;
  /** Whether another client would be too many. */
  readonly isFull: boolean;
  readonly table: DeskTable;
  /** Serves the client at the other end of a transport. Settles when it has gone. */
  connect(transport: Transport, principal: Principal): Promise<void>;
  /** Lets turns that run go on for a while, and ends all agents and clients. The sessions are kept. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Makes a desk. Nothing is started, and nothing is read, before somebody asks. */
export function createDesk(options: DeskOptions): Desk {
  const table = new DeskTable(options);
  const clients = new Set<DeskClient>();
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
    connect: async (transport, principal) => {
      const client = new DeskClient(table, transport, principal);
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
