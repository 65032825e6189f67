import type { CreateElicitationResponse, ElicitationContentValue, ElicitationSchema } from '@parley/acp';
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
 * Whatever goes wrong is `(user unavailable)`; only an abort is an error.
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
        : toFormAnswer(await askByForm(client, asked), asked.question);
  } catch {
    // The client knows no such request, or failed at it: nobody can be asked.
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
    requestedSchema: toForm(question),
  });
}

/** A field with the choices, if there are any, has one for other words beside it. */
function toForm({ options, isMultiple = false }: Question): ElicitationSchema {
  if (options === undefined) {
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

/** What the form holds, as far as it is what was asked for: the client may not have looked. */
function toFormAnswer(
  response: CreateElicitationResponse,
  { options, isMultiple = false }: Question,
): string | undefined {
  if (response.action !== 'accept') return undefined;
  const { answer, other } = response.content ?? {};
  if (options === undefined) return typeof answer === 'string' ? answer : undefined;
  const chosen = (isMultiple ? toList(answer) : [answer]).filter((value) =>
    options.some(({ label }) => label === value),
  );
  const words = typeof other === 'string' && other.trim() !== '' ? [other] : [];
  // Of one answer the user's own words count.
  const answers = isMultiple || words.length === 0 ? [...chosen, ...words] : words;
  return answers.length === 0 ? undefined : answers.join(', ');
}

function toList(value: ElicitationContentValue | undefined): readonly string[] {
  return typeof value === 'object' ? value : [];
}

/** Agentao's program takes options too, and lets the user answer in other words where it is not told otherwise. */
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
