import type { Rule } from './rule.ts';

/** What rules say together about a tool call, and which of them say so. */
export interface Ruling<R extends Rule = Rule> {
  /** `unclear`: a `deny` may be meant, but what the call would do is not shown, or cannot be judged. */
  readonly decision: 'allow' | 'ask' | 'deny' | 'unclear';
  readonly rules: readonly R[];
}
