import type { Clock } from '../../environment.ts';
import { lastCharacters } from '../../last-characters.ts';

/** How often, how much and where live output is shown. */
export interface LiveOutputOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly limitChars: number;
  show(text: string): Promise<void>;
}

/** Shows the end of a command's output while it grows: at once, then at most once per interval. */
export class LiveOutput implements AsyncDisposable {
  readonly #options: LiveOutputOptions;
  readonly #closing = new AbortController();
  #text = '';
  #hasUpdate = false;
  #showing: Promise<void> | undefined;

  constructor(options: LiveOutputOptions) {
    this.#options = options;
  }

  append(text: string): void {
    this.#text += text;
    // Cut seldom, so that many small pieces cost no more than a few large ones.
    const { limitChars } = this.#options;
    if (this.#text.length > 2 * limitChars) this.#text = lastCharacters(this.#text, limitChars);
    this.#hasUpdate = true;
    // A failure is that of the connection, and the turn meets it with its next update.
    this.#showing ??= this.#showUpdate().catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#showing;
  }

  async #showUpdate(): Promise<void> {
    const { clock, intervalMs, limitChars, show } = this.#options;
    while (this.#hasUpdate && !this.#closing.signal.aborted) {
      this.#hasUpdate = false;
      await show(lastCharacters(this.#text, limitChars));
      await clock.sleep(intervalMs, this.#closing.signal);
    }
    this.#showing = undefined;
  }
}
