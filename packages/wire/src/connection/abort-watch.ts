/** What the abort of a signal is to stop. It has its own place in the list of its signal, which makes adding and deleting cheap. */
export interface AbortListener {
  watched: WatchedSignal | undefined;
  previous: AbortListener | undefined;
  next: AbortListener | undefined;
  onAbort(): void;
}

/** A signal, and those that listen to it, in the order in which they were added. */
interface WatchedSignal {
  readonly signal: AbortSignal;
  first: AbortListener | undefined;
  last: AbortListener | undefined;
}

/**
 * Listens to abort signals on behalf of many: one listener for each signal. A turn with fifty requests under one
 * signal would otherwise add fifty, and Node warns of a leak from the eleventh on.
 */
export class AbortWatch {
  readonly #watched = new Map<unknown, WatchedSignal>();
  /** The signal that was used last: nearly always that of the next request, too. */
  #latest: WatchedSignal | undefined;

  /** Adds a listener, which is called once when the signal aborts. */
  add(signal: AbortSignal, listener: AbortListener): void {
    const latest = this.#latest;
    const watched = latest?.signal === signal ? latest : (this.#watched.get(signal) ?? this.#listen(signal));
    this.#latest = watched;
    listener.watched = watched;
    listener.previous = watched.last;
    if (watched.last === undefined) watched.first = listener;
    else watched.last.next = listener;
    watched.last = listener;
  }

  delete(listener: AbortListener): void {
    const { watched, previous, next } = listener;
    if (watched === undefined) return;
    listener.watched = undefined;
    if (previous === undefined) watched.first = next;
    else previous.next = next;
    if (next === undefined) watched.last = previous;
    else next.previous = previous;
    if (watched.first === undefined) this.#ignore(watched);
  }

  #listen(signal: AbortSignal): WatchedSignal {
    const watched = { signal, first: undefined, last: undefined };
    this.#watched.set(signal, watched);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    return watched;
  }

  #ignore(watched: WatchedSignal): void {
    if (this.#latest === watched) this.#latest = undefined;
    this.#watched.delete(watched.signal);
    watched.signal.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = ({ target }: { readonly target: unknown }): void => {
    const watched = this.#watched.get(target);
    for (let first = watched?.first; first !== undefined; first = watched?.first) {
      this.delete(first);
      first.onAbort();
    }
  };
}
