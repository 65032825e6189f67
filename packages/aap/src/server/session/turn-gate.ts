import { RequestError } from '../request-error.ts';
import type { LiveTurn } from '../turn/live-turn.ts';
import type { Idempotency } from './idempotency.ts';

/** Lets one turn into a session at a time. */
export class TurnGate {
  #accepting: { readonly key?: string; readonly turn: Promise<LiveTurn> } | undefined;

  /** A turn is being accepted. */
  get isBusy(): boolean {
    return this.#accepting !== undefined;
  }

  /** The key of the request that is being accepted. */
  get key(): string | undefined {
    return this.#accepting?.key;
  }

  /**
   * Accepts a turn.
   *
   * @throws {RequestError} Another one is being accepted.
   */
  async accept(idempotency: Idempotency | undefined, begin: () => Promise<LiveTurn>): Promise<LiveTurn> {
    if (this.#accepting !== undefined) throw turnInProgress();
    const turn = begin();
    this.#accepting = { turn, ...(idempotency !== undefined && { key: idempotency.key }) };
    try {
      return await turn;
    } finally {
      this.#accepting = undefined;
    }
  }

  /** Settles when the turn that is being accepted was accepted or refused. */
  async settled(): Promise<void> {
    await this.#accepting?.turn.catch(() => undefined);
  }
}

/** For a turn that another one is in the way of. */
export function turnInProgress(): RequestError {
  return new RequestError(409, 'turn_in_progress', 'the session already has a running turn', {
    headers: { 'retry-after': '1' },
  });
}
