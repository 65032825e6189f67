/** The sessions with which something is being done. */
export class SessionUses {
  readonly #counts = new Map<string, number>();

  has(key: string): boolean {
    return this.#counts.has(key);
  }

  /** Does something with a session, which counts as used until that has settled. */
  async during<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    }
  }
}
