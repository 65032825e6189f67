import type {
  CreateElicitationResponse,
  ElicitationContentValue,
  ElicitationSchema,
} from './schema/v1/stable.ts';

/** A question to be asked with a form. */
export interface FormQuestion {
  /** The choices; a free-text answer is always possible. @default none */
  readonly options?: readonly FormOption[];
  /** Whether several options may be chosen. @default false */
  readonly isMultiple?: boolean;
}

/** One choice. */
export interface FormOption {
  readonly label: string;
  readonly description?: string;
}

/** Creates the form for a question: one text field, or the choices with a field for other text. */
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
 * Reads the answer to such a form; undefined without a valid answer. For a single choice, the user's own text takes
 * precedence; for several, it is an additional one.
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
