/**
 * Listens to abort signals on behalf of many: one listener for each signal. A turn with fifty requests under one
 * signal would otherwise add fifty, and Node warns of a leak from the eleventh on.
 */
export class AbortWatch {
  readonly #watched = new Map<AbortSignal, Set<() => void>>();

  /** Calls once when the signal aborts. Returns what stops that. */
  watch(signal: AbortSignal, onAbort: () => void): () => void {
    const callbacks = this.#watched.get(signal) ?? this.#listen(signal);
    callbacks.add(onAbort);
    return () => {
      if (callbacks.delete(onAbort) && callbacks.size === 0) this.#ignore(signal);
    };
  }

  #listen(signal: AbortSignal): Set<() => void> {
    const callbacks = new Set<() => void>();
    this.#watched.set(signal, callbacks);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    return callbacks;
  }

  #ignore(signal: AbortSignal): void {
    this.#watched.delete(signal);
    signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = ({ target }: { readonly target: unknown }): void => {
    for (const [signal, callbacks] of this.#watched) {
      if (signal !== target) continue;
      this.#ignore(signal);
      for (const onAbort of callbacks) onAbort();
    }
  };
}
