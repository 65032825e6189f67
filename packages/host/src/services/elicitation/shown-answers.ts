import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationContentValue,
  ElicitationPropertySchema,
} from '@parley/acp';
import { redactText } from '@parley/recording';
import { isSecretField } from '../../permission/question/secret-field.ts';

/** Characters of a typed answer that are stored with its question. The agent receives all of them. */
const maxAnswerChars = 2000;

/**
 * The answers to a form as they are stored and shown: choices by their labels, and typed text. Secret fields, and
 * fields that the form does not have, are left out.
 */
export function shownAnswers(
  request: CreateElicitationRequest,
  response: CreateElicitationResponse,
): readonly string[] {
  if (request.mode !== 'form' || response.action !== 'accept') return [];
  const { message } = request;
  const { properties = {} } = request.requestedSchema;
  return Object.entries(response.content ?? {}).flatMap(([name, value]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) return [];
    const labels = labelsOf(property);
    const isSecret = isSecretField({ message, name, property });
    return toTexts(value).flatMap((text) => labels.get(text) ?? (isSecret ? [] : toShown(text)));
  });
}

/**
 * Whether the answers to a form may contain a secret: text that was typed into a secret field, or into one that the form does
 * not have, or that has the format of a secret.
 */
export function answersMayHoldSecret(
  request: CreateElicitationRequest,
  content: Readonly<Record<string, unknown>>,
): boolean {
  const { message } = request;
  const properties = (request.mode === 'form' ? request.requestedSchema.properties : undefined) ?? {};
  return Object.entries(content).some(([name, value]) => {
    if (typeof value === 'boolean') return false;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) return value !== '';
    const labels = labelsOf(property);
    const isSecret = isSecretField({ message, name, property });
    return [value].flat().some((item: unknown) => {
      const text = typeof item === 'string' ? item : JSON.stringify(item);
      return text !== '' && !labels.has(text) && (isSecret || redactText(text) !== text);
    });
  });
}

/** The request without what its secret fields are filled in with. */
export function withoutSecretDefaults(request: CreateElicitationRequest): CreateElicitationRequest {
  if (request.mode !== 'form') return request;
  const { message, requestedSchema } = request;
  const { properties = {} } = requestedSchema;
  const shown = Object.fromEntries(
    Object.entries(properties).map(([name, property]): [string, ElicitationPropertySchema] => {
      if (property.type !== 'string' || labelsOf(property).size > 0) return [name, property];
      if (!isSecretField({ message, name, property })) return [name, property];
      const { default: _secret, ...others } = property;
      return [name, others];
    }),
  );
  return { ...request, requestedSchema: { ...requestedSchema, properties: shown } };
}

function toTexts(value: ElicitationContentValue): readonly string[] {
  return typeof value === 'object' ? value : [String(value)];
}

function toShown(text: string): readonly string[] {
  const typed = text.trim();
  if (typed === '') return [];
  const shown = redactText(typed);
  return [shown.length > maxAnswerChars ? `${shown.slice(0, maxAnswerChars)}…` : shown];
}

/** Each value that a field offers, with its label. */
function labelsOf(property: ElicitationPropertySchema): ReadonlyMap<string, string> {
  switch (property.type) {
    case 'string':
      return labelsIn(property);
    case 'array':
      return property.items.type === 'unknown' ? new Map() : labelsIn(property.items);
    case 'number':
    case 'integer':
    case 'boolean':
    case 'unknown':
      return new Map();
  }
}

interface Offer {
  readonly enum?: readonly string[];
  readonly oneOf?: readonly { readonly const: string; readonly title: string }[];
  readonly anyOf?: readonly { readonly const: string; readonly title: string }[];
}

function labelsIn({ enum: names = [], oneOf = [], anyOf = [] }: Offer): ReadonlyMap<string, string> {
  return new Map([
    ...names.map((name) => [name, name] as const),
    ...[...oneOf, ...anyOf].map((option) => [option.const, option.title] as const),
  ]);
}
