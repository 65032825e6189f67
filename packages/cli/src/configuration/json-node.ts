import { CliError } from '../cli-error.ts';
import { findJsonFault } from './json-fault.ts';

/**
 * One value of a JSON file, which knows where it stands, so that each complaint says
 * the file, the place in it, and what was expected there; never the value.
 */
export class JsonNode {
  readonly #value: unknown;
  readonly #file: string;
  readonly #path: string;

  private constructor(value: unknown, file: string, path: string) {
    this.#value = value;
    this.#file = file;
    this.#path = path;
  }

  /** Reads a whole file's text. */
  static parse(text: string, file: string): JsonNode {
    const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
    try {
      return new JsonNode(JSON.parse(withoutMark), file, '');
    } catch {
      const fault = findJsonFault(withoutMark);
      const place = fault === undefined ? '' : `:${String(fault.line)}:${String(fault.column)}`;
      throw new CliError('configuration', `${file}${place}: not valid JSON`);
    }
  }

  /** The value itself, for a reader of its own. */
  value(): unknown {
    return this.#value;
  }

  /** The error that says what should have been here. */
  expected(what: string): CliError {
    return new CliError('configuration', `${this.#where()}: expected ${what}, found ${nameOf(this.#value)}`);
  }

  /** The error for a value of the right type which is wrong all the same. */
  wrong(why: string): CliError {
    return new CliError('configuration', `${this.#where()}: ${why}`);
  }

  isObject(): boolean {
    return toObject(this.#value) !== undefined;
  }

  /** The fields of an object, in their order. */
  entries(): [name: string, node: JsonNode][] {
    const object = toObject(this.#value);
    if (object === undefined) throw this.expected('an object');
    return Object.entries(object).map(([name, value]) => [name, this.#child(value, name)]);
  }

  /** One field of an object; absent when it is not there. */
  field(name: string): JsonNode | undefined {
    const object = toObject(this.#value);
    if (object === undefined) throw this.expected('an object');
    return Object.hasOwn(object, name) ? this.#child(Reflect.get(object, name), name) : undefined;
  }

  /** The names of an object's fields that are none of these, each as its place in the file. */
  unknownFields(known: readonly string[]): string[] {
    return this.entries()
      .filter(([name]) => !known.includes(name))
      .map(([, node]) => node.#where());
  }

  items(): JsonNode[] {
    if (!Array.isArray(this.#value)) throw this.expected('a list');
    const items: readonly unknown[] = this.#value;
    return items.map((item, index) => new JsonNode(item, this.#file, `${this.#path}[${String(index)}]`));
  }

  text(): string {
    if (typeof this.#value !== 'string') throw this.expected('text');
    return this.#value;
  }

  /** Text which is not empty. */
  word(): string {
    const text = this.text();
    if (text === '') throw this.wrong('must not be empty');
    return text;
  }

  flag(): boolean {
    if (typeof this.#value !== 'boolean') throw this.expected('true or false');
    return this.#value;
  }

  /** A whole number of bytes above zero. */
  bytes(): number {
    if (typeof this.#value !== 'number' || !Number.isSafeInteger(this.#value) || this.#value <= 0) {
      throw this.expected('a whole number of bytes above 0');
    }
    return this.#value;
  }

  /** A number of seconds above zero. */
  seconds(): number {
    if (typeof this.#value !== 'number' || !(this.#value > 0)) {
      throw this.expected('a number of seconds above 0');
    }
    return this.#value;
  }

  oneOf<Choice extends string>(choices: readonly Choice[]): Choice {
    const choice = choices.find((candidate) => candidate === this.#value);
    if (choice === undefined) throw this.expected(choices.map((candidate) => `"${candidate}"`).join(' or '));
    return choice;
  }

  texts(): string[] {
    return this.items().map((item) => item.text());
  }

  textByName(): Map<string, string> {
    return new Map(this.entries().map(([name, node]) => [name, node.text()]));
  }

  #child(value: unknown, name: string): JsonNode {
    const step = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return new JsonNode(value, this.#file, this.#path === '' ? step : `${this.#path}.${step}`);
  }

  #where(): string {
    return this.#path === '' ? this.#file : `${this.#file}: ${this.#path}`;
  }
}

function toObject(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'a number';
    case 'boolean':
      return String(value);
    default:
      return 'an object';
  }
}
