import { answersMayHoldSecret, mayHoldSecret } from '@parley/host';
import type { HubSessions } from '../hub/sessions/hub-sessions.ts';
import { parseAnswerParams } from './params/hub-params.ts';
import { fieldsOf } from './session-fields.ts';

/** For a request with nothing but names, or with what a user writes into the event log, which stores it in plain anyway. */
export function holdsNoSecret(): boolean {
  return false;
}

/** Whether a prompt has a secret beside its blocks, which the event log stores in plain anyway. */
export function promptMayHoldSecret(request: unknown): boolean {
  const { prompt: _blocks, ...others } = fieldsOf(request);
  return mayHoldSecret(others);
}

/**
 * Whether the answer to a question of another replica may contain a secret: what is typed to sign in, or into a secret field of
 * a form. The text of a form that is not known here is one in doubt.
 *
 * @throws {RpcError} -32602
 */
export function answerMayHoldSecret(params: unknown, { replicas }: HubSessions): boolean {
  const { sessionId, requestId, answer } = parseAnswerParams(params);
  switch (answer.kind) {
    case 'sign-in':
      return Object.values(answer.values ?? {}).some((value) => value !== '');
    case 'form': {
      if (answer.action !== 'accept') return false;
      const open = replicas?.shared.get(sessionId)?.questions ?? [];
      const question = open.find((each) => each.requestId === requestId);
      return question?.kind === 'elicitation'
        ? answersMayHoldSecret(question.request, answer.content)
        : Object.keys(answer.content).length > 0;
    }
    // A reason is stored with the decision.
    case 'option':
    case 'remember':
    case 'cancel':
      return false;
  }
}
