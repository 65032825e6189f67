import type { ElicitationContentValue, ElicitationPropertySchema, EnumOption } from '@parley/acp';
import { toPlainLine } from '../output/plain.ts';

/** One choice of a list. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What came of a typed answer: a value, no value, or why it is none. */
export type FieldReply =
  | { readonly kind: 'value'; readonly value: ElicitationContentValue }
  | { readonly kind: 'empty' }
  | { readonly kind: 'wrong'; readonly why: string };

/** The choices of a field that has a list of them. */
export function choicesOf(property: ElicitationPropertySchema): Choice[] | undefined {
  switch (property.type) {
    case 'string':
      return toChoices(property.oneOf, property.enum);
    case 'array':
      if (property.items.type === 'unknown') return undefined;
      return property.items.type === 'string'
        ? toChoices(undefined, property.items.enum)
        : toChoices(property.items.anyOf, undefined);
    default:
      return undefined;
  }
}

/** Whether a field takes any words. */
export function isFreeText(property: ElicitationPropertySchema): boolean {
  if (property.type !== 'string' || choicesOf(property) !== undefined) return false;
  const { minLength, maxLength, pattern, format } = property;
  return [minLength, maxLength, pattern, format, property.default].every((bound) => bound === undefined);
}

/** The default of a field, in the form in which a user types it. */
export function defaultOf(property: ElicitationPropertySchema): ElicitationContentValue | undefined {
  return property.type === 'unknown' ? undefined : property.default;
}

/** Reads what was typed for a field; an empty line takes the default. */
export function parseField(property: ElicitationPropertySchema, typed: string): FieldReply {
  const text = typed.trim();
  if (text === '') {
    const value = defaultOf(property);
    return value === undefined ? { kind: 'empty' } : { kind: 'value', value };
  }
  switch (property.type) {
    case 'string':
      return parseText(property, choicesOf(property), text);
    case 'number':
    case 'integer':
      return parseNumber(property, text);
    case 'boolean':
      return parseBoolean(text);
    case 'array':
      return parseList(property, choicesOf(property) ?? [], text);
    case 'unknown':
      return { kind: 'wrong', why: 'this kind of field is not supported' };
  }
}

type OfType<Type> = Extract<ElicitationPropertySchema, { readonly type: Type }>;

function toChoices(
  titled: readonly EnumOption[] | undefined,
  plain: readonly string[] | undefined,
): Choice[] | undefined {
  if (titled !== undefined) {
    return titled.map((choice) => ({ value: choice.const, label: toLabel(choice) }));
  }
  return plain?.map((value) => ({ value, label: toPlainLine(value) }));
}

function toLabel({ title, description }: EnumOption): string {
  return description === undefined
    ? toPlainLine(title)
    : `${toPlainLine(title)}: ${toPlainLine(description, 400)}`;
}

function parseText(
  property: OfType<'string'>,
  choices: readonly Choice[] | undefined,
  text: string,
): FieldReply {
  if (choices !== undefined) {
    const choice = pick(choices, text);
    return choice === undefined
      ? { kind: 'wrong', why: 'expected one of the numbers' }
      : { kind: 'value', value: choice.value };
  }
  // JSON Schema counts characters, not UTF-16 units.
  const { length } = Array.from(text);
  if (property.minLength !== undefined && length < property.minLength) {
    return { kind: 'wrong', why: `expected at least ${String(property.minLength)} characters` };
  }
  if (property.maxLength !== undefined && length > property.maxLength) {
    return { kind: 'wrong', why: `expected at most ${String(property.maxLength)} characters` };
  }
  return { kind: 'value', value: text };
}

function parseNumber(property: OfType<'number'> | OfType<'integer'>, text: string): FieldReply {
  const value = Number(text);
  if (!Number.isFinite(value) || (property.type === 'integer' && !Number.isSafeInteger(value))) {
    return {
      kind: 'wrong',
      why: property.type === 'integer' ? 'expected a whole number' : 'expected a number',
    };
  }
  if (property.minimum !== undefined && value < property.minimum) {
    return { kind: 'wrong', why: `expected at least ${String(property.minimum)}` };
  }
  if (property.maximum !== undefined && value > property.maximum) {
    return { kind: 'wrong', why: `expected at most ${String(property.maximum)}` };
  }
  return { kind: 'value', value };
}

function parseBoolean(text: string): FieldReply {
  if (/^(?:y|yes|true)$/i.test(text)) return { kind: 'value', value: true };
  if (/^(?:n|no|false)$/i.test(text)) return { kind: 'value', value: false };
  return { kind: 'wrong', why: 'expected yes or no' };
}

function parseList(property: OfType<'array'>, choices: readonly Choice[], text: string): FieldReply {
  const picked = text.split(/[\s,]+/).map((part) => pick(choices, part));
  const values: string[] = [];
  for (const choice of picked) {
    if (choice === undefined) {
      return { kind: 'wrong', why: 'expected numbers of the list, separated by commas' };
    }
    if (!values.includes(choice.value)) values.push(choice.value);
  }
  if (property.minItems !== undefined && values.length < property.minItems) {
    return { kind: 'wrong', why: `expected at least ${String(property.minItems)}` };
  }
  if (property.maxItems !== undefined && values.length > property.maxItems) {
    return { kind: 'wrong', why: `expected at most ${String(property.maxItems)}` };
  }
  return { kind: 'value', value: values };
}

/** By number, or by the value itself. */
function pick(choices: readonly Choice[], typed: string): Choice | undefined {
  const byNumber = /^\d{1,4}$/.test(typed) ? choices[Number(typed) - 1] : undefined;
  return byNumber ?? choices.find(({ value }) => value === typed);
}
