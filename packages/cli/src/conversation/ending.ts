import type { CancelOptions } from '@parley/host';
import type { CliError } from '../cli-error.ts';

/**
 * Why and how far a run is being ended from outside: by a signal, a limit, or because its output was closed.
 * It goes in two steps: the turn is cancelled, and after a grace, or at once on a second signal,
 * the agent is ended.
 */
export class Ending {
  readonly #begun = new AbortController();
  readonly #hurried = new AbortController();
  #cause: CliError | undefined;
  #isDecided = false;

  /** Settles when the run begins to be ended. */
  readonly whenBegun: Promise<void> = new Promise((resolve) => {
    this.#begun.signal.addEventListener('abort', () => {
      resolve();
    });
  });

  /** Aborted, with the cause, to cancel the turn. */
  get begun(): AbortSignal {
    return this.#begun.signal;
  }

  /** Aborted when the agent is not to be waited for. */
  get hurried(): AbortSignal {
    return this.#hurried.signal;
  }

  /** Why; the first cause counts. */
  get cause(): CliError | undefined {
    return this.#cause;
  }

  /** How the turn is cancelled: by a user, unless a limit was reached. */
  get cancelOptions(): CancelOptions {
    return this.#cause?.code === 'timeout' ? { isForLimit: true } : {};
  }

  /** Begins to end the run. */
  begin(cause: CliError): void {
    if (!this.#isDecided) this.#cause ??= cause;
    this.#begun.abort(cause);
  }

  /** How the run ended is settled: what still comes hurries what is left of it, and changes nothing else. */
  decide(): void {
    this.#isDecided = true;
  }

  /** Skips the grace. */
  hurry(): void {
    this.#hurried.abort();
  }
}
