import type { ElicitationPropertySchema, ElicitationSchema, EnumOption } from '@parley/acp';
import { isSecretField } from '@parley/host/state';

/** One field of a form, as it is shown. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** A password, a key or the like: what is typed is not shown. */
  readonly isSecret: boolean;
  readonly input: FieldInput;
}

/** The kind of a field, and its allowed values. */
export type FieldInput =
  | TextInput
  | {
      readonly kind: 'number';
      readonly isWhole: boolean;
      readonly minimum?: number;
      readonly maximum?: number;
    }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly choices: readonly FieldChoice[] }
  | {
      readonly kind: 'choices';
      readonly choices: readonly FieldChoice[];
      readonly minItems: number;
      readonly maxItems?: number;
    }
  /** A sort of field that is not known here: its value is written as JSON. */
  | { readonly kind: 'json'; readonly schema: string };

interface TextInput {
  readonly kind: 'text';
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  readonly minLength: number;
  readonly maxLength?: number;
  /** A regular expression. */
  readonly pattern?: string;
  /** More than a line is expected. */
  readonly isLong: boolean;
}

/** One thing that can be chosen. */
export interface FieldChoice {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** What is in a field: its text, whether it is ticked, or which choices are. */
export type FieldValue = string | boolean | readonly string[];

/** What is in the fields of a form, by their names. */
export type FormValues = Readonly<Record<string, FieldValue>>;

/** The fields of a form, in the order of its schema. @param message The question that the form asks. */
export function toFields(
  { properties = {}, required = [] }: ElicitationSchema,
  message: string,
): readonly FormField[] {
  return Object.entries(properties).map(([name, property]) => {
    const title = property.type === 'unknown' ? undefined : property.title;
    const description = property.type === 'unknown' ? undefined : property.description;
    return {
      name,
      label: title === undefined || title.trim() === '' ? name : title,
      ...(description !== undefined && { description }),
      isRequired: required.includes(name),
      isSecret: isSecretField({ message, name, property }),
      input: toInput(property),
    };
  });
}

/** The initial values of a form. */
export function toInitialValues({ properties = {} }: ElicitationSchema): FormValues {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, initialOf(property)]),
  );
}

/** Whether the form is a question with choices and a field for a free answer: one of both is then expected. */
export function isPlainQuestion(fields: readonly FormField[]): boolean {
  const [answer, other, ...more] = fields;
  if (answer?.name !== 'answer' || more.length > 0) return false;
  return other === undefined || (other.name === 'other' && other.input.kind === 'text');
}

function toInput(property: ElicitationPropertySchema): FieldInput {
  switch (property.type) {
    case 'string': {
      const {
        oneOf,
        enum: values,
        minLength = 0,
        maxLength,
        format,
        pattern,
        default: given = '',
      } = property;
      const choices = oneOf === undefined ? values?.map(toPlainChoice) : oneOf.map(toTitledChoice);
      if (choices !== undefined) return { kind: 'choice', choices };
      return {
        kind: 'text',
        minLength,
        ...(maxLength !== undefined && { maxLength }),
        ...(format !== undefined && { format }),
        ...(pattern !== undefined && { pattern }),
        isLong: format === undefined && (given.includes('\n') || minLength > 200 || (maxLength ?? 0) > 200),
      };
    }
    case 'number':
    case 'integer': {
      const { type, minimum, maximum } = property;
      return {
        kind: 'number',
        isWhole: type === 'integer',
        ...(minimum !== undefined && { minimum }),
        ...(maximum !== undefined && { maximum }),
      };
    }
    case 'boolean':
      return { kind: 'flag' };
    case 'array': {
      const { items, minItems = 0, maxItems } = property;
      if (items.type === 'unknown') return toJsonInput(items.raw);
      const choices =
        items.type === 'string' ? items.enum.map(toPlainChoice) : items.anyOf.map(toTitledChoice);
      return { kind: 'choices', choices, minItems, ...(maxItems !== undefined && { maxItems }) };
    }
    case 'unknown':
      return toJsonInput(property.raw);
  }
}

function toJsonInput(raw: Readonly<Record<string, unknown>>): FieldInput {
  return { kind: 'json', schema: JSON.stringify(raw, undefined, 2) };
}

function toPlainChoice(value: string): FieldChoice {
  return { value, label: value };
}

function toTitledChoice({ const: value, title, description }: EnumOption): FieldChoice {
  return { value, label: title, ...(description !== undefined && { description }) };
}

function initialOf(property: ElicitationPropertySchema): FieldValue {
  switch (property.type) {
    case 'string': {
      const given = property.default ?? '';
      return property.format === 'date-time' ? toLocalTime(given) : given;
    }
    case 'number':
    case 'integer':
      return property.default === undefined ? '' : String(property.default);
    case 'boolean':
      return property.default ?? false;
    case 'array':
      return property.items.type === 'unknown' ? '' : (property.default ?? []);
    case 'unknown':
      return '';
  }
}

/** A point in time in the format of a browser's input field; empty if it is invalid. */
function toLocalTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
