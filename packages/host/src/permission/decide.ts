import type { ToolKind } from '@parley/acp';
import { ruleOn, type Ruling } from '@parley/workspace';
import { ruleReason, type ApproveLevel, type Policy, type PolicyRule } from './policy.ts';
import type { Subject } from './subject.ts';

/** What the policy says, and what of it said so. */
export interface Decision {
  readonly decision: 'allow' | 'reject' | 'ask';
  readonly by: 'flag' | 'rule';
  readonly reason: string;
}

/**
 * Decides what a person need not be asked: a `deny` always holds; else a given level beats the rules, and the
 * rules beat the default level. What shows nothing of what it would do is allowed by none but the level `all`.
 *
 * @param cwd What the paths of rules are relative to.
 */
export function decide(subject: Subject, policy: Policy, cwd: string): Decision {
  const { approve, rules } = policy;
  const ruling = ruleOn(subject, rules, cwd);
  if (ruling?.decision === 'deny') return toDecision(ruling);
  const byRules = approve.given || ruling === undefined ? undefined : toDecision(ruling);
  const decision = byRules ?? byLevel(subject, approve.level);
  if (decision.decision !== 'allow') return decision;
  if (ruling?.decision === 'unclear') return toDecision(ruling);
  return subject.isOpaque === true && decision.by === 'rule' ? opaque : decision;
}

const opaque: Decision = {
  decision: 'ask',
  by: 'rule',
  reason: 'the request is opaque, it shows nothing of what it would do: no rule allows it',
};

/** The reason for which a rule denies it, if one does for certain. */
export function denialOf(subject: Subject, rules: readonly PolicyRule[], cwd: string): string | undefined {
  const ruling = ruleOn(subject, rules, cwd);
  return ruling?.decision === 'deny' ? `${textOf(ruling)} applies` : undefined;
}

function toDecision(ruling: Ruling<PolicyRule>): Decision {
  switch (ruling.decision) {
    case 'deny':
      return { decision: 'reject', by: 'rule', reason: `${textOf(ruling)} applies` };
    case 'allow':
    case 'ask':
      return { decision: ruling.decision, by: 'rule', reason: `${textOf(ruling)} applies` };
    case 'unclear':
      return {
        decision: 'ask',
        by: 'rule',
        reason: `${textOf(ruling)} may apply: what the call would do cannot be judged`,
      };
  }
}

function byLevel({ kind }: Subject, level: ApproveLevel): Decision {
  if (level === 'none') return { decision: 'reject', by: 'flag', reason: 'the approval level is "none"' };
  const what = kind ?? 'a call without a kind';
  if (!isCovered(kind, level)) {
    return { decision: 'ask', by: 'flag', reason: `the approval level "${level}" does not cover ${what}` };
  }
  return { decision: 'allow', by: 'flag', reason: `the approval level "${level}" covers ${what}` };
}

function isCovered(kind: ToolKind | undefined, level: Exclude<ApproveLevel, 'none'>): boolean {
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
function textOf({ rules }: Ruling<PolicyRule>): string {
  return rules.map(ruleReason).join(' and ');
}
