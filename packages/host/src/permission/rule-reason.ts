import { ruleText, ruleWords } from '@parley/workspace';
import type { OwnedRule } from './because.ts';
import type { PolicyRule } from './policy.ts';
import { answerReason, type AnswerRule } from './remembered-answer.ts';

/** A rule as the reason of a decision: whose it is, and its words. */
export function ruleReason(rule: PolicyRule | AnswerRule): string {
  const { origin } = rule;
  if (origin === undefined) return ruleText(rule);
  switch (origin) {
    case 'user':
      return `your rule "${ruleWords(rule)}"`;
    case 'project':
      return `the project's rule "${ruleWords(rule)}"`;
    case 'answer':
      return answerReason(rule.answer);
  }
}

/** A rule with whose it is, and with no more. */
export function toOwnedRule(rule: PolicyRule | AnswerRule): OwnedRule {
  if (rule.origin !== 'answer') return rule;
  const { answer, isFresh: _, ...owned } = rule;
  return { ...owned, scope: answer.scope };
}
