import { isSameScope, type Rule, type RuleScope } from './rule.ts';

/** How long an answer applies: for the turn, the session, in the project, or everywhere. */
export type AnswerScope = 'turn' | 'session' | 'project' | 'user';

/** An answer to a permission request that also applies to later requests. */
export interface RememberedAnswer {
  /** The id for revoking it. */
  readonly id: string;
  readonly scope: AnswerScope;
  /** The answer as a rule. */
  readonly rule: Rule;
  /** Whether the user was asked because of a rule: the answer then overrides that rule. */
  readonly answersRule: boolean;
}

/** What a remembered answer to a permission request would cover, and how long it can apply. */
export interface RememberOffer {
  /** Covers little more than the request, for the agent that asked. */
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
