/** The turns that run on one connection. */
export class ConnectionTurns {
  readonly #turns = new Set<Promise<unknown>>();

  /** Runs a turn and returns its result. */
  async run<T>(turn: () => Promise<T>): Promise<T> {
    const running = turn();
    this.#turns.add(running);
    try {
      return await running;
    } finally {
      this.#turns.delete(running);
    }
  }

  /** Settles when all that run now have come to an end, good or bad. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#turns);
  }
}
