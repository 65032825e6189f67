import type { PermissionOption, ToolKind } from '@parley/acp';
import { protectionText, ruleOn, type Ruling } from '@parley/workspace';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { ApprovalLevel, Policy } from './policy.ts';
import type { PolicyReason } from './reason.ts';
import type { StoredAnswerRule } from './remembered/stored-answer.ts';
import type { PermissionSubject } from './request/permission-subject.ts';
import { ruleReason, toOwnedRule } from './rule-reason.ts';

/** The policy's decision, with its reason. */
export interface PolicyDecision {
  readonly decision: 'allow' | 'reject' | 'ask';
  /** `person`: an answer of theirs that was remembered. */
  readonly by: 'flag' | 'rule' | 'person';
  readonly reason: string;
  /** The same for other words. */
  readonly because: PolicyReason;
}

type AnyRule = ConfiguredRule | StoredAnswerRule;

/**
 * Decides about a request without asking the user, if the policy allows that. Rules that deny always apply. A given
 * level overrides the other rules, and the rules override the default level. An answer given after the level
 * overrides the level, except `none`. Calls that do not show what they would do are only allowed by the level `all`.
 * Hosts that the sandbox blocks are not allowed by any level, only by a rule that names them or by an answer.
 * Commands in a sandbox are allowed if the user's configuration says so.
 *
 * @param cwd The folder that paths in rules are relative to.
 * @param answers Remembered answers that apply here.
 */
export function decide(
  subject: PermissionSubject,
  given: Policy,
  cwd: string,
  answers: readonly StoredAnswerRule[] = [],
): PolicyDecision {
  const policy = subject.blockedHost !== undefined ? policyForBlocked(given) : given;
  const { rules, unclear = 'ask' } = policy;
  const now = policy.now?.();
  const ruling = ruleOn<AnyRule>(subject, [...rules, ...answers], cwd, now);
  if (ruling?.decision === 'deny') return toDecision(ruling);
  if (ruling?.decision === 'unclear' && unclear === 'reject') {
    return { ...toDecision(ruling), decision: 'reject' };
  }
  const decision =
    byAnswer(subject, ruling, policy, { cwd, now, answers }) ??
    byRule(ruling, policy) ??
    byLevel(subject, policy);
  if (decision.decision !== 'allow') return decision;
  if (ruling?.decision === 'unclear') return toDecision(ruling);
  return subject.isOpaque === true && decision.by !== 'flag' ? opaque : decision;
}

/** The policy for blocked hosts: levels do not allow them, and a rule must name the host to allow it. */
function policyForBlocked({ approve, rules, ...policy }: Policy): Policy {
  return {
    ...policy,
    approve: approve.level === 'none' ? approve : { level: 'ask', given: false },
    rules: rules.filter(({ decision, host }) => decision !== 'allow' || host !== undefined),
  };
}

const opaque: PolicyDecision = {
  decision: 'ask',
  by: 'rule',
  reason: 'the request is opaque, it shows nothing of what it would do: no rule allows it',
  because: { code: 'opaque' },
};

/** A decision where an agent offers these options: an allow needs one that allows only once. */
export function heldToOptions(
  decision: PolicyDecision,
  options: readonly PermissionOption[],
): PolicyDecision {
  return decision.decision === 'allow' && isOnlyForAlways(options) ? onlyAlways(decision) : decision;
}

/** Whether the agent would apply every allowing option beyond this call: only a user may choose such an option. */
function isOnlyForAlways(options: readonly PermissionOption[]): boolean {
  const kinds = new Set(options.map(({ kind }) => kind));
  return kinds.has('allow_always') && !kinds.has('allow_once');
}

function onlyAlways({ by, reason }: PolicyDecision): PolicyDecision {
  return {
    decision: 'ask',
    by,
    reason: `${reason}, but the agent offers no option that allows it only once`,
    because: { code: 'only-always' },
  };
}

/**
 * The reason for a denial: a rule that denies the call, or one that might. Without a user to ask, the latter denies
 * too.
 */
export function denialOf(
  subject: PermissionSubject,
  rules: readonly AnyRule[],
  cwd: string,
  now?: number,
): string | undefined {
  const ruling = ruleOn(subject, rules, cwd, now);
  const isDenied = ruling?.decision === 'deny' || ruling?.decision === 'unclear';
  return isDenied ? toDecision(ruling).reason : undefined;
}

/** The decision by a remembered answer, despite a rule that asks or a level that does not cover the call. */
function byAnswer(
  subject: PermissionSubject,
  ruling: Ruling<AnyRule> | undefined,
  { approve }: Policy,
  {
    cwd,
    now,
    answers,
  }: {
    readonly cwd: string;
    readonly now: number | undefined;
    readonly answers: readonly StoredAnswerRule[];
  },
): PolicyDecision | undefined {
  if (approve.level === 'none') return undefined;
  const counting = approve.given
    ? answers.filter(({ isFresh }) => isFresh)
    : answers.filter(({ answer }) => answer.answersRule || ruling?.decision !== 'ask');
  const answered = ruleOn<AnyRule>(subject, counting, cwd, now);
  return answered?.decision === 'allow' ? toDecision(answered) : undefined;
}

function byRule(ruling: Ruling<AnyRule> | undefined, { approve }: Policy): PolicyDecision | undefined {
  return approve.given || ruling === undefined ? undefined : toDecision(ruling);
}

function toDecision(ruling: Ruling<AnyRule>): PolicyDecision {
  const by = ruling.rules.some(({ origin }) => origin === 'answer') ? 'person' : 'rule';
  const because = { code: 'rules', rules: ruling.rules.map(toOwnedRule) } as const;
  const reason = `${textOf(ruling)} applies`;
  switch (ruling.decision) {
    case 'deny':
      return { decision: 'reject', by, reason, because };
    case 'allow':
    case 'ask':
      return { decision: ruling.decision, by, reason, because };
    case 'unclear':
      return {
        decision: 'ask',
        by,
        reason: `${textOf(ruling)} may apply: what the call would do cannot be judged`,
        because: { ...because, isUnclear: true },
      };
  }
}

function byLevel(subject: PermissionSubject, policy: Policy): PolicyDecision {
  const { level } = policy.approve;
  const { kind, protectedFile, outside = [], blockedHost } = subject;
  const because = { code: 'level', level, ...(kind !== undefined && { kind }) } as const;
  const by = 'flag';
  if (level === 'none') return { decision: 'reject', by, reason: 'the approval level is "none"', because };
  if (blockedHost !== undefined) {
    const reason = `the sandbox does not allow ${blockedHost}`;
    return { decision: 'ask', by, reason, because: { code: 'blocked', host: blockedHost } };
  }
  const what = kind ?? 'a call without a kind';
  if (!isCovered(kind, level)) {
    const uncovered = `the approval level "${level}" does not cover ${what}`;
    return bySandbox(subject, policy) ?? { decision: 'ask', by, reason: uncovered, because };
  }
  const [path] = outside;
  if (level !== 'all' && protectedFile !== undefined) return askProtected(protectedFile);
  if (level !== 'all' && path !== undefined) {
    const reason = `the approval level "${level}" does not cover ${JSON.stringify(path)}, which is outside of the session's folders`;
    return { decision: 'ask', by, reason, because: { code: 'outside', path } };
  }
  const reason = `the approval level "${level}" covers ${what}`;
  return { decision: 'allow', by, reason, because: { ...because, isCovered: true } };
}

/**
 * The decision for a call that only runs a command in a sandbox: it can do no more than the agent's own process. If
 * the user typed a level that asks about everything, it still asks.
 */
function bySandbox(
  { kind, command, otherKinds = [], protectedFile }: PermissionSubject,
  { approve: { level, given }, sandboxed: mode }: Policy,
): PolicyDecision | undefined {
  const isForCommands = mode !== undefined && !(given && level === 'ask');
  if (!isForCommands || kind !== 'execute' || command === undefined || !otherKinds.every(isReading)) {
    return undefined;
  }
  if (protectedFile !== undefined) return askProtected(protectedFile);
  const reason = `the sandbox (${mode}) holds this command, and "sandbox.autoApprove" is on`;
  return { decision: 'allow', by: 'rule', reason, because: { code: 'sandboxed', mode } };
}

function askProtected({ path, protection }: NonNullable<PermissionSubject['protectedFile']>): PolicyDecision {
  return {
    decision: 'ask',
    by: 'rule',
    reason: `${JSON.stringify(path)} is protected (${protectionText(protection)}): it is always asked about`,
    because: { code: 'protected', path, protection },
  };
}

function isCovered(kind: ToolKind | undefined, level: Exclude<ApprovalLevel, 'none'>): boolean {
  switch (level) {
    case 'all':
      return true;
    case 'edits':
      return isReading(kind) || kind === 'edit' || kind === 'move' || kind === 'delete';
    case 'reads':
      return isReading(kind);
    case 'ask':
      return false;
  }
}

function isReading(kind: string | undefined): boolean {
  return kind === 'read' || kind === 'search' || kind === 'think';
}

/** Rules in words, with whose they are. */
function textOf({ rules }: Ruling<AnyRule>): string {
  return rules.map(ruleReason).join(' and ');
}
