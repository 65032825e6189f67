import { AgentError } from '../../agent-error.ts';
import { parseJson } from './parse-json.ts';

/** The arguments of a tool call, read one by one. */
export interface Arguments {
  /** A text that may be empty. */
  text(name: string): string;
  /** A text with something in it. */
  word(name: string): string;
  optionalWord(name: string): string | undefined;
  list(name: string): readonly unknown[];
  optionalList(name: string): readonly unknown[] | undefined;
  /** A whole number from 1. */
  optionalCount(name: string): number | undefined;
  /** Yes or no. */
  optionalFlag(name: string): boolean | undefined;
  /** One of these words. */
  optionalChoice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined;
}

/**
 * Parses the arguments of a call; each mistake is an `AgentError` `invalid-input` that names it. Unambiguous variants
 * are accepted: JSON in a text, a number or boolean in a text, `file_path` for `path`.
 */
export function parseArguments(tool: string, input: unknown): Arguments {
  const given = typeof input === 'string' ? parseJson(input) : input;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new AgentError('invalid-input', `${tool}: the arguments must be an object`);
  }
  const fields = new Fields(given);
  const wrong = (name: string, wanted: string): AgentError =>
    new AgentError('invalid-input', `${tool}: "${name}" must be ${wanted}`);

  const text = (name: string): string => {
    const value = fields.get(name);
    if (typeof value !== 'string') throw wrong(name, 'a text');
    return value;
  };
  const word = (name: string): string => {
    const value = text(name);
    if (value.trim() === '') throw wrong(name, 'a text that is not empty');
    return value;
  };
  const list = (name: string): readonly unknown[] => {
    const value = fields.get(name);
    const items = typeof value === 'string' ? parseJson(value) : value;
    if (!Array.isArray(items)) throw wrong(name, 'a list');
    return items;
  };
  const optional = <Value>(name: string, read: (name: string) => Value): Value | undefined =>
    fields.get(name) === undefined ? undefined : read(name);
  return {
    text,
    word,
    optionalWord: (name) => optional(name, word),
    list,
    optionalList: (name) => optional(name, list),
    optionalCount: (name) =>
      optional(name, () => {
        const value = toNumber(fields.get(name));
        if (value === undefined || value < 1) throw wrong(name, 'a whole number from 1');
        return value;
      }),
    optionalFlag: (name) =>
      optional(name, () => {
        const value = toFlag(fields.get(name));
        if (value === undefined) throw wrong(name, 'true or false');
        return value;
      }),
    optionalChoice: (name, choices) =>
      optional(name, () => {
        const choice = choices.find((one) => one === fields.get(name));
        if (choice === undefined) throw wrong(name, `one of ${choices.join(', ')}`);
        return choice;
      }),
  };
}

/** Names that other agents use for the same argument, because models have learned their tools. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['path', ['filepath', 'filename', 'file', 'directory']],
  ['text', ['content', 'contents']],
  ['oldText', ['oldstring', 'oldstr']],
  ['newText', ['newstring', 'newstr']],
  ['command', ['cmd']],
  ['entries', ['todos']],
]);

class Fields {
  readonly #fields: ReadonlyMap<string, unknown>;
  /** By their names in small letters, without marks between the words. */
  readonly #plain: ReadonlyMap<string, unknown>;

  constructor(input: object) {
    const fields: readonly (readonly [string, unknown])[] = Object.entries(input);
    const given = fields.filter(([, value]) => value !== undefined && value !== null);
    this.#fields = new Map(given);
    this.#plain = new Map(given.map(([name, value]) => [toPlain(name), value]));
  }

  /** The value of this field, else of one with an equivalent name; null counts as absent. */
  get(name: string): unknown {
    if (this.#fields.has(name)) return this.#fields.get(name);
    const found = [toPlain(name), ...(otherNames.get(name) ?? [])].find((other) => this.#plain.has(other));
    return found === undefined ? undefined : this.#plain.get(found);
  }
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/gu, '');
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d{1,15}\s*$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

function toFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : undefined;
}
