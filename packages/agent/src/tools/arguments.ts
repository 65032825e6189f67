import { AgentError } from '../agent-error.ts';

/** The arguments of a tool call, read one by one. */
export interface Arguments {
  /** A text that may be empty. */
  text(name: string): string;
  /** A text with something in it. */
  word(name: string): string;
  optionalWord(name: string): string | undefined;
  list(name: string): readonly unknown[];
  /** A whole number from 1. */
  optionalCount(name: string): number | undefined;
}

/** Reads what a model sent as arguments; each mistake is an `AgentError` `invalid-input` that names it. */
export function parseArguments(tool: string, input: unknown): Arguments {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new AgentError('invalid-input', `${tool}: the arguments must be an object`);
  }
  const fields = new Map<string, unknown>(Object.entries(input));
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
  return {
    text,
    word,
    optionalWord: (name) => ((fields.get(name) ?? undefined) === undefined ? undefined : word(name)),
    list: (name) => {
      const value = fields.get(name);
      if (!Array.isArray(value)) throw wrong(name, 'a list');
      const list: readonly unknown[] = value;
      return list;
    },
    optionalCount: (name) => {
      const value = fields.get(name) ?? undefined;
      if (value === undefined) return undefined;
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
        throw wrong(name, 'a whole number from 1');
      }
      return value;
    },
  };
}
