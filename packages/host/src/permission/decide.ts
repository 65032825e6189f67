import type { ToolKind } from '@parley/acp';
import { ruleOn, ruleText, type Rule, type Ruling } from '@parley/workspace';
import type { ApproveLevel, Policy } from './policy.ts';
import type { Subject } from './subject.ts';

/** What the policy says, and what of it said so. */
export interface Decision {
  readonly decision: 'allow' | 'reject' | 'ask';
  readonly by: 'flag' | 'rule';
  readonly reason: string;
}

/**
 * Decides what a person need not be asked: a `deny` always holds; else a given level beats the rules, and the
 * rules beat the default level.
 *
 * @param cwd What the paths of rules are relative to.
 */
export function decide(subject: Subject, policy: Policy, cwd: string): Decision {
  const { approve, rules } = policy;
  const ruling = ruleOn(subject, rules, cwd);
  if (ruling?.decision === 'deny') return toDecision(ruling);
  const byRules = approve.given || ruling === undefined ? undefined : toDecision(ruling);
  const decision = byRules ?? byLevel(subject, approve.level);
  if (ruling?.decision !== 'unclear' || decision.decision !== 'allow') return decision;
  return toDecision(ruling);
}

/** The reason for which a rule denies it, if one does for certain. */
export function denialOf(subject: Subject, rules: readonly Rule[], cwd: string): string | undefined {
  const ruling = ruleOn(subject, rules, cwd);
  return ruling?.decision === 'deny' ? `${textOf(ruling)} applies` : undefined;
}

function toDecision(ruling: Ruling): Decision {
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
        reason: `${textOf(ruling)} may apply: the command cannot be judged`,
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

/** Rules in words, as they stand in the configuration. */
function textOf({ rules }: Ruling): string {
  return rules.map(ruleText).join(' and ');
}
