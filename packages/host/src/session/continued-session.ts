import type { McpServer } from '@parley/acp';
import type { SessionFacts } from '../state/session-facts.ts';
import type { WantedSession } from './agent-run.ts';
import type { SessionOptions } from './session-options.ts';

/** The session of its agent that a session continues each time the agent is started, and what it brings along. */
export class ContinuedSession {
  readonly #options: Pick<SessionOptions, 'additionalDirectories' | 'meta'>;
  readonly #facts: () => SessionFacts;
  #id: string | undefined;
  #mcpServers: readonly McpServer[];

  /** @param facts What the events of the session come to. */
  constructor(options: SessionOptions, facts: () => SessionFacts) {
    this.#options = options;
    this.#facts = facts;
    this.#id = options.agentSessionId;
    this.#mcpServers = options.mcpServers ?? [];
  }

  /** What its agent calls it; undefined before the agent has said so. */
  get id(): string | undefined {
    return this.#id ?? this.#facts().sessionId;
  }

  /** Brings MCP servers along from the next start on. Returns whether they are others than before. */
  bring(servers: readonly McpServer[]): boolean {
    if (JSON.stringify(servers) === JSON.stringify(this.#mcpServers)) return false;
    this.#mcpServers = servers;
    return true;
  }

  /** What an agent that has just started is asked for. */
  next(): WantedSession {
    const { additionalDirectories = [], meta } = this.#options;
    const sessionId = this.id;
    this.#id = undefined;
    const brought = { mcpServers: this.#mcpServers, ...(meta !== undefined && { meta }) };
    return sessionId === undefined
      ? { additionalDirectories, ...brought }
      : { sessionId, additionalDirectories: this.#facts().additionalDirectories, ...brought };
  }
}
