export { ruleDecisions, ruleFieldNames, ruleFields, toolField } from './rule-fields.ts';
export type { RuleField, RuleFieldEntry } from './rule-fields.ts';
export { hasEnded, isSameScope, parseRule, readRuleFields, ruleFault, ruleText, ruleWords } from './rule.ts';
export type { ConfiguredRule, Rule, RuleFault, RuleFieldValues, RuleScope } from './rule.ts';
export { withAnswers } from './remembered-answer.ts';
export type { AnswerRule, AnswerScope, RememberedAnswer, RememberOffer } from './remembered-answer.ts';
export type { Ruling } from './ruling.ts';
export type { Subject } from './subject.ts';
export type { Protection } from '../files/protection/protection-text.ts';
