import { readQuestionForm, toQuestionForm, type CreateElicitationResponse } from '@parley/acp';
import type { ClientPeer } from '@parley/acp/unstable';
import type { Question } from '../tools/question.ts';

/** A question of the agent to its user. */
export interface UserQuestion {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly question: Question;
}

/** The answer that the model receives if the user gave none. */
const userUnavailable = '(user unavailable)';

/**
 * Asks the user with a form if the client supports forms, else with Agentao's extension, which clients need not
 * declare. Any failure gives `(user unavailable)`; only an abort is an error.
 *
 * @param client The client on behalf of the prompt, so that cancelling it withdraws the question.
 * @param signal The signal of the prompt.
 */
export async function askUser(client: ClientPeer, asked: UserQuestion, signal: AbortSignal): Promise<string> {
  let answer: string | undefined;
  try {
    answer =
      client.capabilities.elicitation?.form === undefined
        ? toExtensionAnswer(await askByExtension(client, asked, signal))
        : readQuestionForm(await askByForm(client, asked, signal), asked.question);
  } catch {
    // The client knows no such request, or failed at it: the user cannot be asked.
  }
  signal.throwIfAborted();
  return answer === undefined || answer.trim() === '' ? userUnavailable : answer;
}

function askByForm(
  client: ClientPeer,
  { sessionId, toolCallId, question }: UserQuestion,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> {
  const requestedSchema = toQuestionForm(question);
  const params = { mode: 'form', sessionId, toolCallId, message: question.text, requestedSchema } as const;
  return client.request('elicitation/create', params, { signal });
}

/** Asks with Agentao's extension. Agentao also accepts options, and by default lets the user answer freely. */
function askByExtension(
  client: ClientPeer,
  { sessionId, question }: UserQuestion,
  signal: AbortSignal,
): Promise<unknown> {
  const { text, options, isMultiple = false } = question;
  const params = {
    sessionId,
    question: text,
    ...(options !== undefined && { options }),
    ...(isMultiple && { multiple: true }),
  };
  return client.requestExtension('_agentao.cn/ask_user', params, { signal });
}

/** Source document 001 has `{answer}`, the program itself `{outcome: "answered", text}`. */
function toExtensionAnswer(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  if ('answer' in result && typeof result.answer === 'string') return result.answer;
  if (!('outcome' in result) || result.outcome !== 'answered' || !('text' in result)) return undefined;
  return typeof result.text === 'string' ? result.text : undefined;
}
