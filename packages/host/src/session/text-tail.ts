/** The end of a text that grows, in whole lines where it was cut. */
export class TextTail {
  readonly #limit: number;
  #text = '';

  /** @param limit Characters that are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    const all = this.#text + text;
    if (all.length <= this.#limit) {
      this.#text = all;
      return;
    }
    const end = all.slice(-this.#limit);
    this.#text = end.slice(end.indexOf('\n') + 1);
  }
}
