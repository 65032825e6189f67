/** Does what is asked for a key one after another, in the order in which it was asked; for different keys at the same time. */
export class WorkByKey {
  /** The last of each key. None of them rejects. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Settles as the work does. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key);
    const result = before === undefined ? work() : before.then(work);
    const ended = result
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(key) === ended) this.#last.delete(key);
      });
    this.#last.set(key, ended);
    return result;
  }
}
