import type {
  CreateElicitationResponse,
  ElicitationContentValue,
  ElicitationSchema,
} from './schema/v1/stable.ts';

/** A question in words that is to be asked by a form. */
export interface FormQuestion {
  /** What the user can choose from; an answer in other words is always possible. @default none */
  readonly options?: readonly FormOption[];
  /** Whether more than one option may be chosen. @default false */
  readonly isMultiple?: boolean;
}

/** One answer that is offered. */
export interface FormOption {
  readonly label: string;
  readonly description?: string;
}

/** The form for a question: one field for words, or the choices and beside them a field for other words. */
export function toQuestionForm({ options = [], isMultiple = false }: FormQuestion): ElicitationSchema {
  if (options.length === 0) {
    return {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer' } },
      required: ['answer'],
    };
  }
  const choices = options.map(({ label, description }) => ({
    const: label,
    title: label,
    ...(description !== undefined && { description }),
  }));
  return {
    type: 'object',
    properties: {
      answer: isMultiple
        ? { type: 'array', title: 'Answer', items: { anyOf: choices } }
        : { type: 'string', title: 'Answer', oneOf: choices },
      other: { type: 'string', title: 'Something else' },
    },
  };
}

/**
 * What such a form was answered with, as far as it is what was asked for; undefined without an answer. Of one answer the
 * user's own words count; of several they are one more.
 */
export function readQuestionForm(
  response: CreateElicitationResponse,
  { options = [], isMultiple = false }: FormQuestion,
): string | undefined {
  if (response.action !== 'accept') return undefined;
  const { answer, other } = response.content ?? {};
  if (options.length === 0) return typeof answer === 'string' ? given(answer) : undefined;
  const chosen = (isMultiple ? toList(answer) : [answer]).filter((value) =>
    options.some(({ label }) => label === value),
  );
  const words = typeof other === 'string' && other.trim() !== '' ? [other] : [];
  return given((isMultiple || words.length === 0 ? [...chosen, ...words] : words).join(', '));
}

function given(answer: string): string | undefined {
  return answer.trim() === '' ? undefined : answer;
}

function toList(value: ElicitationContentValue | undefined): readonly string[] {
  return typeof value === 'object' ? value : [];
}
