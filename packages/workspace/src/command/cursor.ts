/** Thrown inside the parser where a line cannot be understood for certain; it never leaves this folder. */
export class Unclear extends Error {
  override readonly name = 'Unclear';
}

/** A place in a line. */
export class Cursor {
  readonly #line: string;
  #at = 0;

  constructor(line: string) {
    this.#line = line;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#line.length;
  }

  /** The character at the position, or `ahead` of it; empty after the end. */
  peek(ahead = 0): string {
    return this.#line[this.#at + ahead] ?? '';
  }

  /** Takes the next character; there must be one. */
  next(): string {
    const character = this.peek();
    if (character === '') throw new Unclear('the line ends too early');
    this.#at++;
    return character;
  }

  /** Takes the text if it is next. */
  accept(text: string): boolean {
    if (!this.#line.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Consumes the match of a sticky expression at the position. */
  match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#line)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** Consumes everything through the next `end`, which must exist. */
  until(end: string): string {
    const from = this.#at;
    while (this.peek() !== end) this.next();
    this.#at++;
    return this.#line.slice(from, this.#at - 1);
  }

  /** What was read since `from`. */
  since(from: number): string {
    return this.#line.slice(from, this.#at);
  }
}
