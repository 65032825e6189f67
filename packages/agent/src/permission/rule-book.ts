import type { Rule, RuleScope } from '@parley/workspace/rule';

/** How rules are read in the directory of a session. */
export interface RuleBook {
  /** What rules say together about a tool call; nothing when none speaks of it. */
  judge<R extends Rule>(subject: Subject, rules: readonly R[]): Ruling<R> | undefined;
  /** What "always" is to mean about a call. */
  narrowest(subject: Subject): readonly RuleScope[];
  /** A rule for a reader. */
  textOf(rule: Rule): string;
}

/** A tool call, as rules see it. */
export interface Subject {
  /** The ACP kind. */
  readonly kind: string;
  /** The name of the tool. */
  readonly tool: string;
  readonly command?: string;
  /** Absolute; of a link also where it leads. */
  readonly paths: readonly string[];
  /** Files that only a rule which names them allows. */
  readonly protected?: readonly string[];
  /** Where something is fetched from, with its port unless that is the usual one. */
  readonly host?: string;
}

/** What rules say, and which of them. */
export interface Ruling<R extends Rule = Rule> {
  /** `unclear`: a `deny` may be meant, but what the call would do cannot be judged. */
  readonly decision: 'allow' | 'ask' | 'deny' | 'unclear';
  readonly rules: readonly R[];
}
