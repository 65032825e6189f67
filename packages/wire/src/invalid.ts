/** Why a value does not match its schema: the location of the fault, and the expected value. Contains no values. */
export class Invalid {
  /** The location, such as `update.content[2].text`; empty for the value itself. */
  readonly path: string;
  /** The expected value, such as `a string`. */
  readonly expected: string;

  constructor(path: string, expected: string) {
    this.path = path;
    this.expected = expected;
  }

  /** One line of text: `update.content[2].text: expected a string`. */
  get message(): string {
    return this.path === '' ? `expected ${this.expected}` : `${this.path}: expected ${this.expected}`;
  }

  /** The same fault relative to an outer value that contains this one under a key or an `[index]`. */
  within(key: string): Invalid {
    if (this.path === '') return new Invalid(key, this.expected);
    return new Invalid(this.path.startsWith('[') ? key + this.path : `${key}.${this.path}`, this.expected);
  }
}
