import type { Rule } from './rule.ts';

/** The combined decision of rules about a tool call, and the rules that led to it. */
export interface Ruling<R extends Rule = Rule> {
  /** `unclear`: a `deny` might match, but the effect of the call is not displayed or cannot be determined. */
  readonly decision: 'allow' | 'ask' | 'deny' | 'unclear';
  readonly rules: readonly R[];
}
