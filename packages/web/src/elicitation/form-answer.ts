import type { ElicitationContentValue } from '@parley/acp';
import { triedPattern } from '../limits.ts';
import {
  isPlainQuestion,
  type FieldInput,
  type FieldValue,
  type FormField,
  type FormValues,
} from './form-field.ts';

/** What is wrong with a field. */
export type FieldFault =
  | { readonly kind: 'missing' | 'not-a-number' | 'not-whole' | 'not-a-choice' | 'not-json' }
  | { readonly kind: 'no-answer' }
  | { readonly kind: 'too-short' | 'too-long' | 'too-small' | 'too-large'; readonly bound: number }
  | { readonly kind: 'too-few' | 'too-many'; readonly bound: number }
  | { readonly kind: 'format'; readonly format: 'email' | 'uri' | 'date' | 'date-time' }
  | { readonly kind: 'pattern'; readonly pattern: string };

/** The result of a form: the content to send, or errors by field name. */
export type FormAnswer =
  | { readonly kind: 'content'; readonly content: Readonly<Record<string, ElicitationContentValue>> }
  | { readonly kind: 'faults'; readonly faults: ReadonlyMap<string, FieldFault> };

/** Reads a form. What is left empty and is not required is left out. */
export function readForm(fields: readonly FormField[], values: FormValues): FormAnswer {
  const content: [string, ElicitationContentValue][] = [];
  const faults = new Map<string, FieldFault>();
  for (const field of fields) {
    const read = readField(field, values[field.name] ?? '');
    if (read.kind === 'value') content.push([field.name, read.value]);
    if (read.kind === 'fault') faults.set(field.name, read.fault);
  }
  const [first] = fields;
  if (first !== undefined && faults.size === 0 && isPlainQuestion(fields) && content.every(isBlank)) {
    faults.set(first.name, { kind: 'no-answer' });
  }
  return faults.size > 0
    ? { kind: 'faults', faults }
    : { kind: 'content', content: Object.fromEntries(content) };
}

type Read =
  | { readonly kind: 'value'; readonly value: ElicitationContentValue }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'fault'; readonly fault: FieldFault };

function isBlank([, value]: readonly [string, ElicitationContentValue]): boolean {
  return typeof value === 'object' ? value.length === 0 : value === '';
}

function readField({ input, isRequired }: FormField, value: FieldValue): Read {
  if (typeof value === 'boolean') return { kind: 'value', value };
  if (typeof value !== 'string') return readChoices(input, value, isRequired);
  if (value.trim() === '') return isRequired ? fault({ kind: 'missing' }) : { kind: 'nothing' };
  switch (input.kind) {
    case 'text':
      return readText(input, value);
    case 'number':
      return readNumber(input, value.trim());
    case 'choice':
      return input.choices.some((choice) => choice.value === value)
        ? { kind: 'value', value }
        : fault({ kind: 'not-a-choice' });
    case 'json':
      return readJson(value);
    case 'flag':
    case 'choices':
      return { kind: 'nothing' };
  }
}

function readText(input: Extract<FieldInput, { readonly kind: 'text' }>, text: string): Read {
  const { minLength, maxLength, format, pattern } = input;
  // JSON Schema counts characters, not UTF-16 units.
  const { length } = Array.from(text);
  if (length < minLength) return fault({ kind: 'too-short', bound: minLength });
  if (maxLength !== undefined && length > maxLength) return fault({ kind: 'too-long', bound: maxLength });
  const value = format === undefined ? text : toFormat(format, text.trim());
  if (value === undefined) {
    return format === undefined ? { kind: 'nothing' } : fault({ kind: 'format', format });
  }
  if (pattern !== undefined && !matchesPattern(pattern, value)) return fault({ kind: 'pattern', pattern });
  return { kind: 'value', value };
}

function toFormat(format: 'email' | 'uri' | 'date' | 'date-time', text: string): string | undefined {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/u.test(text) ? text : undefined;
    case 'uri':
      return URL.canParse(text) ? text : undefined;
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/u.test(text) && isTime(text) ? text : undefined;
    case 'date-time':
      return isTime(text) ? new Date(text).toISOString() : undefined;
  }
}

function isTime(text: string): boolean {
  return !Number.isNaN(new Date(text).getTime());
}

function readNumber(input: Extract<FieldInput, { readonly kind: 'number' }>, text: string): Read {
  const { isWhole, minimum, maximum } = input;
  // What only a program takes for a number, such as 0x10, is more likely a slip.
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) return fault({ kind: 'not-a-number' });
  if (isWhole && !Number.isSafeInteger(value)) return fault({ kind: 'not-whole' });
  if (minimum !== undefined && value < minimum) return fault({ kind: 'too-small', bound: minimum });
  if (maximum !== undefined && value > maximum) return fault({ kind: 'too-large', bound: maximum });
  return { kind: 'value', value };
}

function readChoices(input: FieldInput, chosen: readonly string[], isRequired: boolean): Read {
  if (input.kind !== 'choices') return isRequired ? fault({ kind: 'missing' }) : { kind: 'nothing' };
  const { choices, minItems, maxItems } = input;
  // In the order in which they are offered.
  const value = choices.map((choice) => choice.value).filter((choice) => chosen.includes(choice));
  if (value.length === 0 && !isRequired) return { kind: 'nothing' };
  if (value.length === 0) return fault({ kind: 'missing' });
  if (value.length < minItems) return fault({ kind: 'too-few', bound: minItems });
  if (maxItems !== undefined && value.length > maxItems) return fault({ kind: 'too-many', bound: maxItems });
  return { kind: 'value', value };
}

function readJson(text: string): Read {
  const value = parseJson(text);
  return isContentValue(value) ? { kind: 'value', value } : fault({ kind: 'not-json' });
}

/** ACP v1, Elicitation: a field holds text, a number, yes or no, or a list of texts. */
function isContentValue(value: unknown): value is ElicitationContentValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fault(found: FieldFault): Read {
  return { kind: 'fault', fault: found };
}

/**
 * Whether a text matches the agent's regular expression. Invalid expressions, and those that may take too long, are
 * not tried: the agent validates the answer anyway.
 */
function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > triedPattern || !isQuick(pattern)) return true;
  const expression = toExpression(pattern);
  return expression === undefined || expression.test(text);
}

function toExpression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/**
 * Whether an expression runs in acceptable time: nested repetitions and backreferences may not, up to three
 * repetitions in sequence do.
 */
function isQuick(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\[^\d]/gu, 'x').replaceAll(/\[[^\]]*\]/gu, 'x');
  if (pattern.length > triedPattern || /\)[*+?{]|\\\d|\\k/u.test(bare)) return false;
  return (bare.match(/[*+]|\{\d+,/gu) ?? []).length <= 3;
}
