import type { Clock } from '../../environment.ts';

/** A signal that is aborted by another one, or when the time is over. */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #done = new AbortController();
  readonly #over = new AbortController();

  constructor(ms: number | undefined, clock: Clock, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#over.signal]);
    if (ms === undefined) return;
    clock.sleep(ms, this.#done.signal).then(
      () => {
        this.#over.abort();
      },
      // The caller does not wait any more.
      () => undefined,
    );
  }

  /** Whether it was the time that was over. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  [Symbol.dispose](): void {
    this.#done.abort();
  }
}
