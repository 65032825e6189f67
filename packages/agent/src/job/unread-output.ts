import { firstCharacters } from '../first-characters.ts';
import { lastCharacters } from '../last-characters.ts';

/** Output of a command that was not read yet: of too much the beginning and the end, half of the limit each. */
export class UnreadOutput {
  readonly #limitChars: number;
  #head = '';
  #isHeadFull = false;
  #tail = '';
  #leftOut = 0;

  constructor(limitChars: number) {
    this.#limitChars = limitChars;
  }

  get isEmpty(): boolean {
    return this.#head === '' && this.#tail === '';
  }

  append(text: string): void {
    const room = this.#isHeadFull ? 0 : Math.floor(this.#limitChars / 2) - this.#head.length;
    const fitting = firstCharacters(text, room);
    // Once something did not fit, the head is over: what comes later does not belong there.
    this.#isHeadFull ||= fitting.length < text.length;
    this.#head += fitting;
    this.#tail += text.slice(fitting.length);
    // Cut seldom, so that many small pieces cost no more than a few large ones.
    if (this.#tail.length > 2 * this.#limitChars) this.#cutTail();
  }

  /** Gives it, and forgets it. */
  take(): string {
    this.#cutTail();
    const head = this.#head;
    const gap =
      this.#leftOut === 0
        ? ''
        : `${head === '' || head.endsWith('\n') ? '' : '\n'}[${String(this.#leftOut)} characters are left out here]\n`;
    const text = head + gap + this.#tail;
    this.#head = '';
    this.#isHeadFull = false;
    this.#tail = '';
    this.#leftOut = 0;
    return text;
  }

  #cutTail(): void {
    const kept = lastCharacters(this.#tail, Math.ceil(this.#limitChars / 2));
    this.#leftOut += this.#tail.length - kept.length;
    this.#tail = kept;
  }
}
