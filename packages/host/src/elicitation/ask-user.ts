import {
  invalidParams,
  type CreateElicitationRequest,
  type ElicitationContentValue,
  type ElicitationSchema,
} from '@parley/acp';
import type { SessionCall } from '../session/session-call.ts';
import { elicit } from './client-elicitation.ts';

/** The extension request with which Agentao's agents ask the user. */
export const askUserMethod = '_agentao.cn/ask_user';

/** What such an agent takes for "nobody answered". */
const unavailable = '(user unavailable)';

/** The two forms of the answer, which different versions of such agents read. */
export interface AskUserResponse {
  readonly answer: string;
  readonly outcome: 'answered' | 'cancelled';
  readonly text?: string;
}

/** What is asked, and the session it is asked in. */
export interface AskUserRequest {
  readonly sessionId: string;
  readonly question: string;
  /** What to choose from; other words are an answer too. */
  readonly options: readonly AskUserOption[];
  readonly isMultiple: boolean;
}

/** One of the answers to choose from. */
export interface AskUserOption {
  readonly label: string;
  readonly description?: string;
}

/** Checks the parameters of the extension request. */
export function parseAskUser(params: unknown): AskUserRequest {
  const sessionId: unknown = isObject(params) ? params['sessionId'] : undefined;
  if (typeof sessionId !== 'string') throw invalidParams('sessionId', 'text');
  const question: unknown = isObject(params) ? params['question'] : undefined;
  if (typeof question !== 'string') throw invalidParams('question', 'text');
  const options = isObject(params) ? toOptions(params['options']) : [];
  return { sessionId, question, options, isMultiple: isObject(params) && params['multiple'] === true };
}

/** Serves the extension request as a form: with one field, or with the choices and a field for other words. */
export async function askUser(
  params: AskUserRequest,
  { host, signal }: SessionCall,
): Promise<AskUserResponse> {
  const response = await elicit(toElicitation(params), host, signal);
  const answer = response.action === 'accept' ? toAnswer(params, response.content ?? {}) : '';
  if (answer === '') return { answer: unavailable, outcome: 'cancelled' };
  return { answer, outcome: 'answered', text: answer };
}

function toElicitation(params: AskUserRequest): CreateElicitationRequest {
  const { sessionId, question } = params;
  return { sessionId, mode: 'form', message: question, requestedSchema: toForm(params) };
}

function toForm({ options, isMultiple }: AskUserRequest): ElicitationSchema {
  if (options.length === 0) {
    return {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer' } },
      required: ['answer'],
    };
  }
  const choices = options.map(({ label, ...more }) => ({ const: label, title: label, ...more }));
  return {
    type: 'object',
    properties: {
      answer: isMultiple
        ? { type: 'array', title: 'Answer', items: { anyOf: choices } }
        : { type: 'string', title: 'Answer', oneOf: choices },
      other: { type: 'string', title: 'Other words' },
    },
  };
}

/** Of one answer the person's own words count; of several they are one more. */
function toAnswer(
  { isMultiple }: AskUserRequest,
  { answer, other }: Readonly<Record<string, ElicitationContentValue>>,
): string {
  const chosen = (typeof answer === 'object' ? answer : [answer]).filter(
    (value) => typeof value === 'string',
  );
  const words = typeof other === 'string' && other.trim() !== '' ? [other] : [];
  return (isMultiple || words.length === 0 ? [...chosen, ...words] : words).join(', ');
}

/** Some agents send plain text for an option. What is neither is left out: the question can be answered without. */
function toOptions(value: unknown): readonly AskUserOption[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((item): readonly AskUserOption[] => {
    if (typeof item === 'string') return [{ label: item }];
    const label = isObject(item) ? item['label'] : undefined;
    if (!isObject(item) || typeof label !== 'string') return [];
    const description = item['description'];
    return [{ label, ...(typeof description === 'string' && { description }) }];
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
