/**
 * A question to the user that the peer waits for, which can be withdrawn: then it is answered at once, and what
 * its handler comes to say later counts for nothing.
 */
export class Ask<Answer> {
  readonly answer: Promise<Answer>;
  readonly #controller = new AbortController();
  readonly #withdrawn: Answer;
  #resolve: (answer: Answer) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /** @param withdrawn The answer when it is withdrawn. */
  constructor(withdrawn: Answer) {
    this.#withdrawn = withdrawn;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Aborted when the question is withdrawn. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Lets a handler answer. */
  put(answer: Promise<Answer>): void {
    answer.then(this.#resolve, this.#reject);
  }

  withdraw(): void {
    this.#resolve(this.#withdrawn);
    this.#controller.abort();
  }
}
