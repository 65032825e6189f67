/** Why a value is not what the schema asks for: where it goes wrong, and what belongs there. Holds no values. */
export class Invalid {
  /** Such as `update.content[2].text`; empty for the value itself. */
  readonly path: string;
  /** Such as `a string`. */
  readonly expected: string;

  constructor(path: string, expected: string) {
    this.path = path;
    this.expected = expected;
  }

  /** One line for people: `update.content[2].text: expected a string`. */
  get message(): string {
    return this.path === '' ? `expected ${this.expected}` : `${this.path}: expected ${this.expected}`;
  }

  /** The same fault seen from outside, where the value stands under a key or an `[index]`. */
  within(key: string): Invalid {
    if (this.path === '') return new Invalid(key, this.expected);
    return new Invalid(this.path.startsWith('[') ? key + this.path : `${key}.${this.path}`, this.expected);
  }
}
