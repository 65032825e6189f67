import type { Message, RequestId } from '@parley/wire';

/** The prompts of one client that have no answer yet. */
export class OpenTurns {
  readonly #onTurn: () => () => void;
  readonly #open = new Map<RequestId, () => void>();

  constructor(onTurn: () => () => void) {
    this.#onTurn = onTurn;
  }

  /** Looks at what the client says. */
  see(message: Message): void {
    if (!('method' in message) || message.method !== 'session/prompt' || !('id' in message)) return;
    if (!this.#open.has(message.id)) this.#open.set(message.id, this.#onTurn());
  }

  /** Looks at what the agent says. */
  settle(message: Message): void {
    if ('method' in message) return;
    this.#open.get(message.id)?.();
    this.#open.delete(message.id);
  }

  settleAll(): void {
    for (const end of this.#open.values()) end();
    this.#open.clear();
  }
}
