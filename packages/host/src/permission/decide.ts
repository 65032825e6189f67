import type { PermissionOption, ToolKind } from '@parley/acp';
import { protectionText, ruleOn, type Ruling } from '@parley/workspace';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { ApprovalLevel, Policy } from './policy.ts';
import type { PolicyReason } from './reason.ts';
import type { StoredAnswerRule } from './remembered/stored-answer.ts';
import type { PermissionSubject } from './request/permission-subject.ts';
import { ruleReason, toOwnedRule } from './rule-reason.ts';

/** What the policy says, and what of it said so. */
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
 * Decides what needs no question to the user: a `deny` always holds; else a given level beats the rules, and the
 * rules beat the default level. An answer given after the level beats it, but for `none`. What shows nothing of what it
 * would do is allowed by none but the level `all`.
 *
 * @param cwd What the paths of rules are relative to.
 * @param answers What the user answered before, as far as it counts here.
 */
export function decide(
  subject: PermissionSubject,
  policy: Policy,
  cwd: string,
  answers: readonly StoredAnswerRule[] = [],
): PolicyDecision {
  const { approve, rules, unclear = 'ask' } = policy;
  const now = policy.now?.();
  const ruling = ruleOn<AnyRule>(subject, [...rules, ...answers], cwd, now);
  if (ruling?.decision === 'deny') return toDecision(ruling);
  if (ruling?.decision === 'unclear' && unclear === 'reject') {
    return { ...toDecision(ruling), decision: 'reject' };
  }
  const decision =
    byAnswer(subject, ruling, policy, { cwd, now, answers }) ??
    byRule(ruling, policy) ??
    byLevel(subject, approve.level);
  if (decision.decision !== 'allow') return decision;
  if (ruling?.decision === 'unclear') return toDecision(ruling);
  return subject.isOpaque === true && decision.by !== 'flag' ? opaque : decision;
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

/** Whether the agent would take any yes for one that counts longer than for this call: that is for a user to say. */
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

/** The reason for which a rule denies it, or may be meant to: where no user can be asked, that counts as denied. */
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

/** What an answer allows in spite of a rule that asks, or of a level that does not cover it. */
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

function byLevel(subject: PermissionSubject, level: ApprovalLevel): PolicyDecision {
  const { kind, protectedFile, outside = [] } = subject;
  const because = { code: 'level', level, ...(kind !== undefined && { kind }) } as const;
  const by = 'flag';
  if (level === 'none') return { decision: 'reject', by, reason: 'the approval level is "none"', because };
  const what = kind ?? 'a call without a kind';
  if (!isCovered(kind, level)) {
    return { decision: 'ask', by, reason: `the approval level "${level}" does not cover ${what}`, because };
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

function isReading(kind: ToolKind | undefined): boolean {
  return kind === 'read' || kind === 'search' || kind === 'think';
}

/** Rules in words, with whose they are. */
function textOf({ rules }: Ruling<AnyRule>): string {
  return rules.map(ruleReason).join(' and ');
}
