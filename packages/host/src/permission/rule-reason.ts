import { ruleText, ruleWords } from '@parley/workspace';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { OwnedRule } from './reason.ts';
import { answerReason, type StoredAnswerRule } from './remembered/stored-answer.ts';

/** A rule as the reason of a decision: whose it is, and its words. */
export function ruleReason(rule: ConfiguredRule | StoredAnswerRule): string {
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
export function toOwnedRule(rule: ConfiguredRule | StoredAnswerRule): OwnedRule {
  if (rule.origin !== 'answer') return rule;
  const { answer, isFresh: _, ...owned } = rule;
  return { ...owned, scope: answer.scope };
}
