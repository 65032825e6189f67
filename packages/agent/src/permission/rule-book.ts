import type { Rule, RuleScope, Ruling, Subject } from '@parley/workspace/rule';

/** How rules are read in the directory of a session. */
export interface RuleBook {
  /** What rules say together about a tool call; nothing when none speaks of it. */
  judge<R extends Rule>(subject: Subject, rules: readonly R[]): Ruling<R> | undefined;
  /** What "always" is to mean about a call. */
  narrowest(subject: Subject): readonly RuleScope[];
}
