import { safeParse, type BaseIssue } from 'valibot';
import { unknownField, type Schema } from './shapes.ts';

/** What is wrong with a foreign value, and where. It contains nothing of the value itself, which may be a secret. */
export interface Fault {
  readonly kind: FaultKind;
  /** The names of fields and the indexes of items that lead to the value. */
  readonly path: readonly (string | number)[];
  /** What was expected; of a value with the right type, what is wrong with it. */
  readonly reason: string;
  /** Of the kind `type`: what was found. */
  readonly found?: string;
}

/** A required field is missing, a field is unknown, a value has the wrong type, or the right type and is wrong all the same. */
export type FaultKind = 'missing' | 'unknown' | 'type' | 'value';

/** A value that was checked. */
export type Checked<T> =
  /** It has the type; the faults may still be reasons to reject it. */
  | { readonly isTyped: true; readonly value: T; readonly faults: readonly Fault[] }
  | { readonly isTyped: false; readonly faults: readonly [Fault, ...Fault[]] };

/** Checks a foreign value, and names all that is wrong with it. */
export function checkValue<T>(schema: Schema<T>, value: unknown): Checked<T> {
  const { typed, output, issues } = safeParse(schema, value, { message: wordsOf });
  if (typed) return { isTyped: true, value: output, faults: (issues ?? []).map(toFault) };
  const [first, ...others] = issues;
  return { isTyped: false, faults: [toFault(first), ...others.map(toFault)] };
}

/** A parser of stored values, which are one or are none. */
export function parserOf<T>(schema: Schema<T>): (value: unknown) => T | undefined {
  return (value) => {
    const checked = checkValue(schema, value);
    return checked.isTyped && checked.faults.length === 0 ? checked.value : undefined;
  };
}

/** The path as text: `agents[0].name`. A name that is no word of JavaScript is quoted. */
export function pathText(path: Fault['path']): string {
  return path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${String(step)}]`;
    const name = /^[A-Za-z_$][\w$]*$/u.test(step) ? step : JSON.stringify(step);
    return before === '' ? name : `${before}.${name}`;
  }, '');
}

/** For a schema without words of its own: those of the library quote the value. */
function wordsOf({ expected }: BaseIssue<unknown>): string {
  return expected ?? 'another value';
}

function toFault({ kind, expected, message, input, path }: BaseIssue<unknown>): Fault {
  const steps = (path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  const place = { path: steps, reason: message };
  if (expected === unknownField) return { kind: 'unknown', ...place };
  if (kind !== 'schema') return { kind: 'value', ...place };
  return input === undefined
    ? { kind: 'missing', ...place }
    : { kind: 'type', ...place, found: nameOf(input) };
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
