import type { Clock } from '../environment.ts';

/** How often, how much and where live output is shown. */
export interface LiveOutputOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly limitChars: number;
  show(text: string): Promise<void>;
}

/** The end of a command's output, shown while it grows: at once, then at most once an interval. */
export class LiveOutput implements AsyncDisposable {
  readonly #options: LiveOutputOptions;
  readonly #closing = new AbortController();
  #text = '';
  #hasNews = false;
  #showing: Promise<void> | undefined;

  constructor(options: LiveOutputOptions) {
    this.#options = options;
  }

  append(text: string): void {
    this.#text += text;
    // Cut seldom, so that many small pieces cost no more than a few large ones.
    if (this.#text.length > 2 * this.#options.limitChars) this.#text = this.#end();
    this.#hasNews = true;
    // A failure is that of the connection, and the turn meets it with its next update.
    this.#showing ??= this.#showNews().catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#showing;
  }

  async #showNews(): Promise<void> {
    const { clock, intervalMs, show } = this.#options;
    while (this.#hasNews && !this.#closing.signal.aborted) {
      this.#hasNews = false;
      await show(this.#end());
      await clock.sleep(intervalMs, this.#closing.signal);
    }
    this.#showing = undefined;
  }

  #end(): string {
    const text = this.#text.slice(-this.#options.limitChars);
    // Not in the middle of a character of two code units.
    return /^[\uDC00-\uDFFF]/u.test(text) ? text.slice(1) : text;
  }
}
