import type { OptionValues } from '@parley/aap';

/** A session of a server, as its client has set it. */
export class ProxiedSession {
  readonly sessionId: string;
  #options: OptionValues;
  #changes: OptionValues = {};
  readonly #trusted = new Set<string>();

  constructor(sessionId: string, options: OptionValues = {}) {
    this.sessionId = sessionId;
    this.#options = options;
  }

  /** Those that differ from the agent's defaults. */
  get options(): OptionValues {
    return this.#options;
  }

  /** What the client changed since the server was told. */
  get changes(): OptionValues {
    return this.#changes;
  }

  /** The client sets options, from the next turn on. */
  change(options: OptionValues): void {
    this.#options = { ...this.#options, ...options };
    this.#changes = { ...this.#changes, ...options };
  }

  /** The server was told. */
  acceptChanges(): void {
    this.#changes = {};
  }

  /** The agent changed options by itself. */
  learn(options: OptionValues): void {
    this.#options = { ...this.#options, ...options };
  }

  /** Whether a tool may be used without asking again. */
  isTrusted(tool: string): boolean {
    return this.#trusted.has(tool);
  }

  trust(tool: string): void {
    this.#trusted.add(tool);
  }
}
