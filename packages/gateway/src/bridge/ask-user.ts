import type { ContentBlock } from '@parley/aap';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationContentValue,
  ElicitationPropertySchema,
} from '@parley/acp';
import { contentText } from './history-text.ts';

/** A question of an agent, as the input of the application's tool for such. */
export function toQuestion(request: CreateElicitationRequest): Readonly<Record<string, unknown>> {
  const { message } = request;
  switch (request.mode) {
    case 'form':
      return { question: message, message, schema: request.requestedSchema };
    case 'url':
      return { question: message, message, url: request.url };
    case 'unknown':
      return { question: message, message };
  }
}

/**
 * What the application's tool returned, as the answer to a question: fields as JSON, or the words for the only field. No
 * words are no answer.
 */
export function toElicitationAnswer(
  request: CreateElicitationRequest,
  result: string | readonly ContentBlock[],
): CreateElicitationResponse {
  const text = contentText(result).trim();
  if (text === '') return { action: 'cancel' };
  if (request.mode !== 'form') return { action: 'accept' };
  const fields = Object.entries(request.requestedSchema.properties ?? {});
  const given = parseFields(text);
  if (given !== undefined) return { action: 'accept', content: given };
  const [first] = fields;
  if (first === undefined) return { action: 'accept' };
  const required = request.requestedSchema.required ?? [];
  const [name, schema] = fields.find(([field]) => required.includes(field)) ?? first;
  const value = toValue(text, schema);
  return value === undefined ? { action: 'decline' } : { action: 'accept', content: { [name]: value } };
}

function toValue(text: string, schema: ElicitationPropertySchema): ElicitationContentValue | undefined {
  switch (schema.type) {
    case 'string':
      return text;
    case 'number':
    case 'integer':
      return Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      return /^(?:true|yes)$/i.test(text) ? true : /^(?:false|no)$/i.test(text) ? false : undefined;
    case 'array':
      return text.split(',').map((item) => item.trim());
    case 'unknown':
      return undefined;
  }
}

function parseFields(text: string): Readonly<Record<string, ElicitationContentValue>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, field]: [string, unknown]) =>
        isFieldValue(field) ? [[name, field]] : [],
      ),
    );
  } catch {
    // Words that only begin like JSON.
    return undefined;
  }
}

function isFieldValue(value: unknown): value is ElicitationContentValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return true;
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
