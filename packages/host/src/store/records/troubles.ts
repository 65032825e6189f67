import type { OpenEventLogOptions } from '../event-log.ts';

/** What is known of a failure. */
export interface TroubleOptions {
  /** Events that wait are stored later: turns continue. @default turns are cancelled */
  readonly isPassing?: boolean;
}

/** Says when an event log cannot be written, and when it can again. */
export class Troubles {
  readonly #options: Pick<OpenEventLogOptions, 'onFailure' | 'onRecovery'>;
  readonly #listeners = new Set<(error: Error) => void>();
  #isFailing = false;
  #isOpen = false;

  constructor(options: Pick<OpenEventLogOptions, 'onFailure' | 'onRecovery'>) {
    this.#options = options;
  }

  /** The event log is open. Earlier failures are reported by the opening itself. */
  begin(): void {
    this.#isOpen = true;
  }

  /** Writing begins to fail, or works again. */
  noteWriting(error: Error | undefined, { isPassing = false }: TroubleOptions = {}): void {
    this.#isFailing = error !== undefined;
    if (!this.#isOpen) return;
    if (error === undefined) this.#options.onRecovery?.();
    else this.#fail(error, isPassing);
  }

  /** Something else failed; while writing fails, that was reported. */
  report(error: unknown): void {
    if (!this.#isFailing && this.#isOpen) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #fail(error: Error, isPassing = false): void {
    this.#options.onFailure(error);
    if (isPassing) return;
    for (const listener of this.#listeners) listener(error);
  }

  listen(listener: (error: Error) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
