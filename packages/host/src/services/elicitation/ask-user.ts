import {
  invalidParams,
  readQuestionForm,
  toQuestionForm,
  type CreateElicitationRequest,
  type FormOption,
  type FormQuestion,
} from '@parley/acp';
import { isJsonObject } from '@parley/wire';
import type { SessionCall } from '../../agent-session/session-call.ts';
import { elicit } from './elicit.ts';

/** The extension request with which Agentao's agents ask the user. */
export const askUserMethod = '_agentao.cn/ask_user';

/** The answer that such an agent interprets as no answer. */
const unavailable = '(user unavailable)';

/** The two forms of the answer, which different versions of such agents read. */
export interface AskUserResponse {
  readonly answer: string;
  readonly outcome: 'answered' | 'cancelled';
  readonly text?: string;
}

/** The question, with its session. */
export interface AskUserRequest extends FormQuestion {
  readonly sessionId: string;
  readonly question: string;
}

/** Checks the parameters of the extension request. */
export function parseAskUser(params: unknown): AskUserRequest {
  const sessionId: unknown = isJsonObject(params) ? params['sessionId'] : undefined;
  if (typeof sessionId !== 'string') throw invalidParams('sessionId', 'text');
  const question: unknown = isJsonObject(params) ? params['question'] : undefined;
  if (typeof question !== 'string') throw invalidParams('question', 'text');
  const options = isJsonObject(params) ? toOptions(params['options']) : [];
  return { sessionId, question, options, isMultiple: isJsonObject(params) && params['multiple'] === true };
}

/** Serves the extension request as a form: with one field, or with the choices and a field for other words. */
export async function askUser(
  params: AskUserRequest,
  { host, signal }: SessionCall,
): Promise<AskUserResponse> {
  const response = await elicit(toElicitation(params), host, signal);
  const answer = readQuestionForm(response, params);
  if (answer === undefined) return { answer: unavailable, outcome: 'cancelled' };
  return { answer, outcome: 'answered', text: answer };
}

function toElicitation(params: AskUserRequest): CreateElicitationRequest {
  const { sessionId, question } = params;
  return { sessionId, mode: 'form', message: question, requestedSchema: toQuestionForm(params) };
}

/** Some agents send plain text for an option. What is neither is left out: the question can be answered without. */
function toOptions(value: unknown): readonly FormOption[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((item): readonly FormOption[] => {
    if (typeof item === 'string') return [{ label: item }];
    const label = isJsonObject(item) ? item['label'] : undefined;
    if (!isJsonObject(item) || typeof label !== 'string') return [];
    const description = item['description'];
    return [{ label, ...(typeof description === 'string' && { description }) }];
  });
}
