import { readQuestionForm, toQuestionForm, type CreateElicitationResponse } from '@parley/acp';
import type { ClientPeer } from '@parley/acp/unstable';
import type { Question } from '../tools/question.ts';

/** A question of the agent to its user. */
export interface UserQuestion {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly question: Question;
}

/** What the agent reads when there is no answer. */
const userUnavailable = '(user unavailable)';

/**
 * Asks by a form where the client has forms, else by Agentao's extension, which a client need not declare.
 * Any failure is `(user unavailable)`; only an abort is an error.
 *
 * @param client The client on behalf of the prompt, so that its cancel withdraws the question.
 * @param signal The signal of the prompt.
 */
export async function askUser(client: ClientPeer, asked: UserQuestion, signal: AbortSignal): Promise<string> {
  let answer: string | undefined;
  try {
    answer =
      client.capabilities.elicitation?.form === undefined
        ? toExtensionAnswer(await askByExtension(client, asked))
        : readQuestionForm(await askByForm(client, asked), asked.question);
  } catch {
    // The client knows no such request, or failed at it: the user cannot be asked.
  }
  signal.throwIfAborted();
  return answer === undefined || answer.trim() === '' ? userUnavailable : answer;
}

function askByForm(
  client: ClientPeer,
  { sessionId, toolCallId, question }: UserQuestion,
): Promise<CreateElicitationResponse> {
  return client.request('elicitation/create', {
    mode: 'form',
    sessionId,
    toolCallId,
    message: question.text,
    requestedSchema: toQuestionForm(question),
  });
}

/** Agentao's program takes options too, and lets the user answer in other words by default. */
function askByExtension(client: ClientPeer, { sessionId, question }: UserQuestion): Promise<unknown> {
  const { text, options, isMultiple = false } = question;
  return client.requestExtension('_agentao.cn/ask_user', {
    sessionId,
    question: text,
    ...(options !== undefined && { options }),
    ...(isMultiple && { multiple: true }),
  });
}

/** Source document 001 has `{answer}`, the program itself `{outcome: "answered", text}`. */
function toExtensionAnswer(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  if ('answer' in result && typeof result.answer === 'string') return result.answer;
  if (!('outcome' in result) || result.outcome !== 'answered' || !('text' in result)) return undefined;
  return typeof result.text === 'string' ? result.text : undefined;
}
