import { RpcError } from '@parley/wire';
import { acpCodes } from '../acp-error.ts';

/** One prompt turn as the agent sees it: from the prompt to its answer. */
export class Turn {
  readonly #controller = new AbortController();
  #state: 'running' | 'cancelled' | 'ended' = 'running';

  get state(): 'running' | 'cancelled' | 'ended' {
    return this.#state;
  }

  /** Whether its updates may still be sent. */
  get takesUpdates(): boolean {
    return this.#state !== 'ended';
  }

  /** Aborted when the turn is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The client wants no more of it. The turn still runs until its handler has come to an end. */
  cancel(): void {
    if (this.#state !== 'running') return;
    this.#state = 'cancelled';
    this.#controller.abort(new RpcError(acpCodes.requestCancelled, 'the turn was cancelled'));
  }

  end(): void {
    this.#state = 'ended';
  }
}
