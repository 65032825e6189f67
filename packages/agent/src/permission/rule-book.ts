import type { Rule, RuleScope, Ruling, Subject } from '@parley/workspace/rule';

/** Applies rules in the directory of a session. */
export interface RuleBook {
  /** Combines the rules that match a tool call; undefined if none does. */
  judge<R extends Rule>(subject: Subject, rules: readonly R[]): Ruling<R> | undefined;
  /** Returns what "always" should cover for a call. */
  narrowest(subject: Subject): readonly RuleScope[];
}
