import { cutText } from '../cut-text.ts';
import type { AgentLimits } from '../limits.ts';
import type { ModelMessage } from '../model/model.ts';
import type { SubagentStopReason } from './subagent-task.ts';

/** How a sub-agent ended. */
export interface SubagentEnd {
  readonly stopReason: SubagentStopReason;
  readonly error?: string;
}

/** The result for the model of the parent: the last message of a sub-agent, and before it why it did not finish, if so. */
export function toResultText(
  messages: readonly ModelMessage[],
  end: SubagentEnd,
  limits: Pick<AgentLimits, 'subagentSteps' | 'subagentResultChars'>,
): string {
  const last = messages.findLast((message) => message.role === 'assistant' && message.text.trim() !== '');
  const message = last?.role === 'assistant' ? last.text : undefined;
  const reason = toReason(end, limits);
  const text =
    reason === undefined
      ? (message ?? 'The sub-agent ended without a message.')
      : `${reason}${message === undefined ? '' : `\n\nIts last message:\n\n${message}`}`;
  return cutText(text, limits.subagentResultChars);
}

function toReason(
  { stopReason, error }: SubagentEnd,
  { subagentSteps }: Pick<AgentLimits, 'subagentSteps'>,
): string | undefined {
  switch (stopReason) {
    case 'end_turn':
      return undefined;
    case 'max_turn_requests':
      return `The sub-agent did not finish: it reached its limit of ${String(subagentSteps)} steps, or repeated the same calls.`;
    case 'max_tokens':
      return 'The sub-agent did not finish: its last response reached the maximum number of tokens.';
    case 'refusal':
      return 'The sub-agent did not finish: its model refused to continue.';
    case 'cancelled':
      return 'The user cancelled this sub-agent.';
    case 'error':
      return `The sub-agent failed: ${error ?? 'the reason is not known'}`;
  }
}
