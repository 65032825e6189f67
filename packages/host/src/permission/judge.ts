import { randomUUID } from 'node:crypto';
import type { PermissionOption, RequestPermissionRequest, ToolCallUpdate } from '@parley/acp';
import type { HostContext } from '../host-context.ts';
import type { DecidedBy } from '../host-event.ts';
import type { PermissionAnswer } from '../interact.ts';
import { aborted, untilAborted } from '../until-aborted.ts';
import { chooseOption } from './choose-option.ts';
import { decide } from './decide.ts';
import type { Subject } from './subject.ts';

/** Something that needs to be allowed. */
export interface Question {
  readonly sessionId: string;
  /** The call in question, as far as it is known without reading files. */
  readonly toolCall: ToolCallUpdate;
  readonly subject: Subject;
  /** The session's directory, which the paths of rules are relative to. */
  readonly cwd: string;
  readonly options: readonly PermissionOption[];
  /** What a person is shown, made only when one is asked. */
  describe(): Promise<RequestPermissionRequest>;
}

/** What came of it. Without an option it is `cancelled`. */
export interface Verdict {
  readonly option?: PermissionOption;
  readonly isGranted: boolean;
  readonly by: DecidedBy;
  readonly reason: string;
}

/**
 * Answers a question by the policy, else by the person, and tells it as an event.
 *
 * @param signal Aborted when the answer is no longer wanted; the verdict is then `cancelled`, at once.
 */
export async function judge(question: Question, host: HostContext, signal: AbortSignal): Promise<Verdict> {
  const { sessionId, toolCall, options, subject } = question;
  const requestId = randomUUID();
  const mark = subject.isOpaque === true ? ({ opaque: true } as const) : {};
  host.emit({ type: 'permission-request', sessionId, requestId, toolCall, options, ...mark });
  const verdict = await reach(question, host, signal);
  host.emit({
    type: 'permission',
    sessionId,
    requestId,
    toolCallId: toolCall.toolCallId,
    options,
    decision: verdict.option?.optionId ?? 'cancelled',
    by: verdict.by,
    reason: verdict.reason,
  });
  return verdict;
}

async function reach(question: Question, host: HostContext, signal: AbortSignal): Promise<Verdict> {
  if (signal.aborted) return cancelled;
  const subject = { ...question.subject, agent: host.agentName };
  const { decision, by, reason } = decide(subject, host.policy, question.cwd);
  if (decision !== 'ask') return settle(question.options, decision, by, reason);
  if (host.interact.permission === undefined) {
    return settle(question.options, 'reject', 'nobody', `${reason}; nobody is there to ask`);
  }
  const answer = await untilAborted(askPerson(question, host, signal), signal);
  if (answer === aborted) return cancelled;
  if (answer === 'cancelled') return { isGranted: false, by: 'person', reason: 'the question was dismissed' };
  const option = question.options.find((candidate) => candidate.optionId === answer.optionId);
  if (option === undefined) {
    return { isGranted: false, by: 'person', reason: 'the answer was none of the options' };
  }
  return take(option, question.options, 'person', `answered "${option.name}"`);
}

/** An id that stands for yes and for no says neither: the agent would take it as it likes. */
function take(
  option: PermissionOption,
  options: readonly PermissionOption[],
  by: DecidedBy,
  reason: string,
): Verdict {
  const isGranted = isAllowing(option);
  const isAmbiguous = options.some(
    (other) => other.optionId === option.optionId && isAllowing(other) !== isGranted,
  );
  if (!isAmbiguous) return { option, isGranted, by, reason };
  return { isGranted: false, by, reason: `${reason}; the agent gave that answer's id to its opposite too` };
}

// ACP v1, Prompt Turn: a cancelled turn answers its open permission requests with "cancelled".
const cancelled: Verdict = { isGranted: false, by: 'person', reason: 'the turn was cancelled' };

/** Whether the option's kind says yes. A kind that we do not know does not. */
function isAllowing(option: PermissionOption): boolean {
  return option.kind === 'allow_once' || option.kind === 'allow_always';
}

function settle(
  options: readonly PermissionOption[],
  decision: 'allow' | 'reject',
  by: DecidedBy,
  reason: string,
): Verdict {
  const option = chooseOption(options, decision);
  if (option !== undefined) return take(option, options, by, reason);
  return { isGranted: false, by, reason: `${reason}; the agent offers no option to ${decision}` };
}

async function askPerson(
  question: Question,
  host: HostContext,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  try {
    return (await host.interact.permission?.(await question.describe(), { signal })) ?? 'cancelled';
  } catch (error) {
    // Whoever asks the person failed: that must neither allow anything nor leave the agent without an answer.
    const message = `asking for permission: ${String(error)}`;
    if (!signal.aborted) host.diagnose('error', 'handler-failed', message);
    return 'cancelled';
  }
}
