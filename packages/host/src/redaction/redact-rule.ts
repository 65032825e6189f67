import { readRuleFields, ruleFields, type RuleScope } from '@parley/workspace/rule';
import type { DecisionReason, PolicyReason } from '../permission/reason.ts';
import type { Redaction } from './redaction.ts';

/** What a rule is about, without secrets. */
export function redactRule<Scope extends RuleScope>(rule: Scope, hidden: Redaction): Scope {
  const fields = readRuleFields((field) => {
    const value = rule[field];
    return value === undefined || !ruleFields[field].isRedacted ? value : hidden.text(value);
  });
  return { ...rule, ...fields };
}

/** Why the user is asked, without secrets. */
export function redactPolicyReason(because: PolicyReason, hidden: Redaction): PolicyReason {
  if (because.code === 'protected' || because.code === 'outside') {
    return { ...because, path: hidden.text(because.path) };
  }
  if (because.code === 'blocked') return { ...because, host: hidden.text(because.host) };
  if (because.code !== 'rules') return because;
  return { ...because, rules: because.rules.map((rule) => redactRule(rule, hidden)) };
}

/** The reason for the decision of a permission request, without secrets. */
export function redactDecisionReason(because: DecisionReason, hidden: Redaction): DecisionReason {
  switch (because.code) {
    case 'level':
    case 'rules':
    case 'opaque':
    case 'protected':
    case 'outside':
    case 'blocked':
    case 'sandboxed':
    case 'only-always':
      return redactPolicyReason(because, hidden);
    case 'answered': {
      const { words } = because;
      return { ...because, ...(words !== undefined && { words: hidden.text(words) }) };
    }
    case 'dismissed':
    case 'turn-cancelled':
    case 'turn-timeout':
      return because;
  }
}
