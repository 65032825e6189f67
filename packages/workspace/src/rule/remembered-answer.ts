import { isSameScope, type Rule, type RuleScope } from './rule.ts';

/** How long an answer counts: for the turn, the session, in the project, or everywhere. */
export type AnswerScope = 'turn' | 'session' | 'project' | 'user';

/** An answer to a permission request that decides later requests too. */
export interface RememberedAnswer {
  /** What it is revoked by. */
  readonly id: string;
  readonly scope: AnswerScope;
  /** What was answered. */
  readonly rule: Rule;
  /** The user was asked because a rule said so: the answer overrides that rule. */
  readonly answersRule: boolean;
}

/** What a remembered answer to a permission request would be about, and how long it may count. */
export interface RememberOffer {
  /** About little more than what was asked, for the agent that asked. */
  readonly about: readonly RuleScope[];
  readonly scopes: readonly AnswerScope[];
}

/** A remembered answer in the form of a rule. */
export interface AnswerRule<Answer extends RememberedAnswer = RememberedAnswer> extends Rule {
  readonly origin: 'answer';
  readonly answer: Answer;
}

/** Adds answers; each replaces an earlier one about the same calls. */
export function withAnswers<Answer extends RememberedAnswer>(
  known: readonly Answer[],
  added: readonly Answer[],
  isSamePlace: (left: Answer, right: Answer) => boolean = () => true,
): readonly Answer[] {
  const others = known.filter(
    (answer) => !added.some((other) => isSamePlace(answer, other) && isSameScope(answer.rule, other.rule)),
  );
  return [...others, ...added];
}
