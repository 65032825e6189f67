import type { ConversationServers } from './conversation-servers.ts';

/** The MCP servers of all sessions of one connection. */
export class OpenServers {
  readonly #open = new Set<ConversationServers>();
  #isOver = false;

  /** Connects the servers of a session that was just opened. */
  connect(servers: ConversationServers): void {
    if (this.#isOver) return;
    this.#open.add(servers);
    servers.connect();
  }

  /** Ends the servers of a closed session, and waits for their processes. */
  async close(servers: ConversationServers): Promise<void> {
    await servers.close();
    this.#open.delete(servers);
  }

  /** Ends all of them, and lets no more be connected. */
  async closeAll(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#open].map((servers) => this.close(servers)));
  }
}
