export { ruleDecisions, ruleFieldNames, ruleFields, toolField } from './rule-fields.ts';
export type { RuleField, RuleFieldEntry } from './rule-fields.ts';
export { hasEnded, isSameScope, parseRule, readRuleFields, ruleFault, ruleText, ruleWords } from './rule.ts';
export type { Rule, RuleFault, RuleFieldValues, RuleScope } from './rule.ts';
