import { randomUUID } from 'node:crypto';
import type { PermissionOption, RequestPermissionRequest, ToolCallUpdate } from '@parley/acp';
import { limitReached } from '../agent-session/turn/turn-time.ts';
import type { Sender } from '../event/sender.ts';
import type { HostContext } from '../host-context.ts';
import type { PermissionInteractOptions } from '../interact.ts';
import { aborted, untilAborted } from '../until-aborted.ts';
import { decide, heldToOptions, type PolicyDecision } from './decide.ts';
import { settle, take, type Decision } from './decision.ts';
import type { SignedAnswer } from './permission-answer.ts';
import { rememberOffer, toRules } from './remembered/remember-offer.ts';
import { scopeText } from './remembered/stored-answer.ts';
import { subjectOf, type PermissionSubject } from './request/permission-subject.ts';
import type { RequestedAction } from './request/requested-action.ts';
import type { SeenAction } from './request/to-requested-action.ts';

/** Something that needs to be allowed. */
export interface Question {
  readonly sessionId: string;
  /** The tool call, as far as it is known without reading files. */
  readonly toolCall: ToolCallUpdate;
  /** The requested action: it is judged, shown, recorded and granted. */
  readonly seen: SeenAction;
  /** The session's directory, which the paths of rules are relative to. */
  readonly cwd: string;
  readonly options: readonly PermissionOption[];
  /** Returns the request to show to the user. Called only if the user is asked. */
  describe(): Promise<RequestPermissionRequest>;
}

/**
 * Decides by the policy, else asks the user, and emits the decision as an event.
 *
 * @param signal Aborted when the answer is no longer needed; the decision is then `cancelled`, at once.
 */
export async function judge(question: Question, host: HostContext, signal: AbortSignal): Promise<Decision> {
  const { sessionId, toolCall, options } = question;
  const { action } = question.seen;
  const requestId = randomUUID();
  const mark = action.isOpaque === true ? ({ opaque: true } as const) : {};
  const stored = withoutValues(action);
  host.emit({ type: 'permission-request', sessionId, requestId, toolCall, action: stored, options, ...mark });
  if (options.some(({ kind }) => kind === 'unknown')) host.diagnose('info', 'unknown-variant', ofUnknownKind);
  const decision = await reach({ ...question, requestId, subject: subjectOf(question.seen) }, host, signal);
  host.emit({
    type: 'permission',
    sessionId,
    requestId,
    toolCallId: toolCall.toolCallId,
    options,
    decision: decision.option?.optionId ?? 'cancelled',
    by: decision.by,
    ...(decision.person !== undefined && { person: decision.person }),
    ...(decision.client !== undefined && { client: decision.client }),
    reason: decision.reason,
    ...(decision.because !== undefined && { because: decision.because }),
    ...(decision.isRemembered === true && { remembered: true }),
  });
  return decision;
}

/** The action as it is stored in events, without the values of variables: these may be keys. */
function withoutValues(action: RequestedAction): RequestedAction {
  const { command } = action;
  if (command === undefined || command.env.length === 0) return action;
  return {
    ...action,
    command: { ...command, env: command.env.map(({ name }) => ({ name, value: hidden })) },
  };
}

/** Replaces a value. */
const hidden = '***';

const ofUnknownKind =
  'session/request_permission: an option is of an unknown kind: only a user can choose it';

/** A question that its events name. */
interface NamedQuestion extends Question {
  readonly requestId: string;
  readonly subject: PermissionSubject;
}

async function reach(question: NamedQuestion, host: HostContext, signal: AbortSignal): Promise<Decision> {
  if (signal.aborted) return cancelledBy(signal);
  const decision = await untilAborted(decideNow(question, host), signal);
  if (decision === aborted) return cancelledBy(signal);
  if (decision.decision !== 'ask') return settleBy(decision, question);
  if (host.interact.permission === undefined) {
    return unattended(question, decision);
  }
  const given = new AbortController();
  const waiting = AbortSignal.any([signal, given.signal]);
  const asked = askUntilAnswered(question, decision, host, waiting);
  const outcome = await untilAborted(Promise.race([asked, decideLater(question, host, waiting)]), signal);
  given.abort();
  return outcome === aborted ? cancelledBy(signal) : outcome;
}

function unattended({ options }: Question, { reason, because }: PolicyDecision): Decision {
  const why = { by: 'nobody', reason: `${reason}; no user to ask`, because } as const;
  return settle(options, 'reject', why);
}

async function decideNow(
  { subject, options, sessionId, cwd }: NamedQuestion,
  host: HostContext,
): Promise<PolicyDecision> {
  const answers = await host.answers.rulesFor({ sessionId, cwd });
  const decision = decide({ ...subject, agent: host.agentName }, host.policy, cwd, answers);
  return heldToOptions(decision, options);
}

/** Settles when an answer to another question answers this one too. */
async function decideLater(
  question: NamedQuestion,
  host: HostContext,
  signal: AbortSignal,
): Promise<Decision> {
  for (;;) {
    if ((await untilAborted(host.answers.next, signal)) === aborted) return cancelledBy(signal);
    const decision = await decideNow(question, host);
    if (decision.decision !== 'ask') return settleBy(decision, question);
  }
}

function settleBy({ decision, by, reason, because }: PolicyDecision, { options }: Question): Decision {
  const settled = settle(options, decision === 'allow' ? 'allow' : 'reject', { by, reason, because });
  return by === 'person' ? { ...settled, isRemembered: true } : settled;
}

async function askUntilAnswered(
  question: NamedQuestion,
  decision: PolicyDecision,
  host: HostContext,
  signal: AbortSignal,
): Promise<Decision> {
  const { by, reason: why, because } = decision;
  const { options, subject, cwd, requestId } = question;
  const offer = rememberOffer(subject, cwd, host.agentName);
  const answer = await askUser(question, host, {
    signal,
    requestId,
    ...(host.subagent !== undefined && { subagent: host.subagent }),
    why,
    because,
    action: question.seen.action,
    ...(subject.isOpaque === true && { opaque: true }),
    ...(offer !== undefined && { remember: offer }),
  });
  if (answer === 'nobody') return unattended(question, decision);
  if (answer.kind === 'cancel') return dismiss(options);
  if (answer.kind === 'option') return signed(choose(options, answer.optionId), answer);
  const { scope, decision: remembered } = answer;
  if (offer?.scopes.includes(scope) !== true) return notOffered;
  // What comes too late, after the turn was cancelled, is nothing to remember.
  if (signal.aborted) return cancelledBy(signal);
  // A rule that asked is answered too.
  const given = { scope, rules: toRules(offer, remembered), answersRule: by !== 'flag' };
  await host.answers.remember(given, question);
  const outcome = remembered === 'allow' ? 'allow' : 'reject';
  const decided = {
    by: 'person',
    reason: `answered "${remembered}" ${scopeText(scope)}`,
    because: { code: 'answered', lasting: { decision: remembered, scope } },
  } as const;
  return signed(settle(options, outcome, decided), answer);
}

/** A decision with who made it, and with the reason that the user gave for a rejection. */
function signed(
  decision: Decision,
  { person, client, reason = '' }: Sender & { readonly reason?: string },
): Decision {
  const userReason = decision.isGranted ? '' : reason.trim();
  const { because } = decision;
  return {
    ...decision,
    ...(person !== undefined && { person }),
    ...(client !== undefined && { client }),
    ...(userReason !== '' && { userReason, reason: `${decision.reason}: ${userReason}` }),
    ...(userReason !== '' && because?.code === 'answered' && { because: { ...because, words: userReason } }),
  };
}

function choose(options: readonly PermissionOption[], optionId: string): Decision {
  const option = options.find((candidate) => candidate.optionId === optionId);
  if (option === undefined) return notOffered;
  const because = { code: 'answered' } as const;
  return take(option, options, { by: 'person', reason: `answered "${option.name}"`, because });
}

const notOffered: Decision = {
  isGranted: false,
  by: 'person',
  reason: 'the answer was none of the options',
};

// ACP v1, Prompt Turn: a cancelled turn answers its open permission requests with "cancelled".
function cancelledBy({ reason }: AbortSignal): Decision {
  const isLimit = reason === limitReached;
  return {
    isGranted: false,
    by: isLimit ? 'nobody' : 'person',
    reason: isLimit ? 'the time limit of the turn was reached' : 'the turn was cancelled',
    because: { code: isLimit ? 'turn-timeout' : 'turn-cancelled' },
  };
}

/**
 * The decision if the user closes a question without an answer: the call is rejected and the turn continues. If the
 * agent offers no option to reject one call, the decision is `cancelled`, which ends the turn.
 */
function dismiss(options: readonly PermissionOption[]): Decision {
  const rejection = options.find(({ kind }) => kind === 'reject_once');
  if (rejection === undefined) return dismissed;
  const { by, reason, because } = dismissed;
  return take(rejection, options, { by, reason, ...(because !== undefined && { because }) });
}

const dismissed: Decision = {
  isGranted: false,
  by: 'person',
  reason: 'the question was dismissed',
  because: { code: 'dismissed' },
};

async function askUser(
  question: Question,
  host: HostContext,
  options: PermissionInteractOptions,
): Promise<SignedAnswer> {
  const { signal } = options;
  try {
    return (await host.interact.permission?.(await question.describe(), options)) ?? { kind: 'cancel' };
  } catch (error) {
    // Asking the user failed: that must neither allow anything nor leave the agent without an answer.
    const message = `asking for permission: ${String(error)}`;
    if (!signal.aborted) host.diagnose('error', 'handler-failed', message);
    return { kind: 'cancel' };
  }
}
