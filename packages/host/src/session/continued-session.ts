import type { McpServer } from '@parley/acp';
import type { SessionFacts } from '../state/session-facts.ts';
import type { WantedSession } from './run/agent-run.ts';
import type { SessionOptions } from './session-options.ts';

/** The agent's session that a session continues at each start of the agent, and the MCP servers that go with it. */
export class ContinuedSession {
  readonly #options: Pick<SessionOptions, 'additionalDirectories' | 'meta'>;
  readonly #facts: () => SessionFacts;
  #id: string | undefined;
  #mcpServers: readonly McpServer[];

  /** @param facts Returns the facts of the session. */
  constructor(options: SessionOptions, facts: () => SessionFacts) {
    this.#options = options;
    this.#facts = facts;
    this.#id = options.agentSessionId;
    this.#mcpServers = options.mcpServers ?? [];
  }

  /** The agent's id of the session; undefined before the agent has reported it. */
  get id(): string | undefined {
    return this.#id ?? this.#facts().sessionId;
  }

  /** The folders of the session besides its own. */
  get directories(): readonly string[] {
    const { additionalDirectories = [] } = this.#options;
    return this.id === undefined ? additionalDirectories : this.#facts().additionalDirectories;
  }

  /** Adds MCP servers from the next start on. Returns whether they differ from before. */
  bring(servers: readonly McpServer[]): boolean {
    if (JSON.stringify(servers) === JSON.stringify(this.#mcpServers)) return false;
    this.#mcpServers = servers;
    return true;
  }

  /**
   * The session to request from an agent that was just started.
   *
   * @param served Parley's own MCP servers, in addition to those of the client.
   */
  next(served: readonly McpServer[]): WantedSession {
    const { meta } = this.#options;
    const { directories: additionalDirectories, id: sessionId } = this;
    this.#id = undefined;
    const brought = { mcpServers: [...this.#mcpServers, ...served], ...(meta !== undefined && { meta }) };
    return { ...(sessionId !== undefined && { sessionId }), additionalDirectories, ...brought };
  }
}
