import { invalidParams, type CreateElicitationRequest } from '@parley/acp';
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
}

/** Checks the parameters of the extension request. */
export function parseAskUser(params: unknown): AskUserRequest {
  const sessionId: unknown = isObject(params) ? params['sessionId'] : undefined;
  if (typeof sessionId !== 'string') throw invalidParams('sessionId', 'text');
  const question: unknown = isObject(params) ? params['question'] : undefined;
  if (typeof question !== 'string') throw invalidParams('question', 'text');
  return { sessionId, question };
}

/** Serves the extension request as a form with one field. */
export async function askUser(
  params: AskUserRequest,
  { host, signal }: SessionCall,
): Promise<AskUserResponse> {
  const response = await elicit(toElicitation(params), host, signal);
  const answer = response.action === 'accept' ? response.content?.['answer'] : undefined;
  if (typeof answer !== 'string' || answer === '') return { answer: unavailable, outcome: 'cancelled' };
  return { answer, outcome: 'answered', text: answer };
}

function toElicitation({ sessionId, question }: AskUserRequest): CreateElicitationRequest {
  return {
    sessionId,
    mode: 'form',
    message: question,
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer' } },
      required: ['answer'],
    },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
