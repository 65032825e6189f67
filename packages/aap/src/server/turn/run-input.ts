import type { ToolCall } from '../../tool.ts';
import type { CallAnswer, RunInput } from '../served-agent.ts';
import type { ApplicationAnswer, TurnInput } from '../session/aap-session-record.ts';
import type { PendingCall } from '../session/aap-session-state.ts';

/** The input of a new run: a message, or answers to calls of a run that no longer exists. */
export function toRunInput(input: TurnInput, calls: ReadonlyMap<string, PendingCall>): RunInput {
  if (input.kind === 'message') return input.message;
  return {
    role: 'answers',
    answers: input.answers.flatMap((answer) => {
      const call = calls.get(answer.toolCallId)?.call;
      return call === undefined ? [] : [toCallAnswer(call, answer)];
    }),
  };
}

function toCallAnswer(call: ToolCall, answer: ApplicationAnswer): CallAnswer {
  switch (answer.kind) {
    case 'granted':
      return { call, kind: 'granted', ...(answer.optionId !== undefined && { optionId: answer.optionId }) };
    case 'denied':
      return { call, kind: 'denied', ...(answer.reason !== undefined && { reason: answer.reason }) };
    case 'result':
      return { call, kind: 'result', content: answer.content };
  }
}
