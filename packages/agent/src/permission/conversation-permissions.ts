import {
  withAnswers,
  type AnswerRule,
  type ConfiguredRule,
  type RememberedAnswer,
  type RuleScope,
  type Ruling,
  type Subject,
} from '@parley/workspace/rule';
import type { RuleBook } from './rule-book.ts';

/** A rule that holds in a conversation: one of the configuration, or a remembered answer. */
export type ConversationRule = ConfiguredRule | AnswerRule;

/** The initial permissions of a conversation. */
export interface ConversationPermissionsOptions {
  readonly book: RuleBook;
  readonly configured: readonly ConfiguredRule[];
  /** How many answers are remembered; of more the oldest is forgotten. */
  readonly limit: number;
}

/** The rules of a conversation: the configured ones, and the remembered answers of its user. */
export class ConversationPermissions {
  readonly #book: RuleBook;
  readonly #configured: readonly ConfiguredRule[];
  readonly #limit: number;
  #answers: readonly RememberedAnswer[] = [];
  #lastId = 0;

  constructor({ book, configured, limit }: ConversationPermissionsOptions) {
    this.#book = book;
    this.#configured = configured.map((rule) => ({ origin: 'user', ...rule }));
    this.#limit = limit;
  }

  /** Whether there are no rules, so that nothing has to be judged. */
  get isEmpty(): boolean {
    return this.#configured.length === 0 && this.#answers.length === 0;
  }

  /** The decision of the rules about a call. */
  judge(subject: Subject): Ruling<ConversationRule> | undefined {
    const ruling = this.#book.judge<ConversationRule>(subject, this.list());
    if (ruling?.decision !== 'ask') return ruling;
    const answers = this.#answers.filter(({ answersRule }) => answersRule).map(toRule);
    const answered = this.#book.judge<ConversationRule>(subject, answers);
    return answered?.decision === 'allow' ? answered : ruling;
  }

  /** What a remembered answer about a call covers. */
  narrowest(subject: Subject): readonly RuleScope[] {
    return this.#book.narrowest(subject);
  }

  /** Remembers an answer, and replaces an earlier one about the same calls. */
  remember(
    scopes: readonly RuleScope[],
    decision: 'allow' | 'deny',
    { answersRule }: { readonly answersRule: boolean },
  ): void {
    for (const scope of scopes) {
      // An id is never given twice.
      this.#lastId += 1;
      const rule = { ...scope, decision };
      const answer = { id: String(this.#lastId), scope: 'session', rule, answersRule } as const;
      this.#answers = withAnswers(this.#answers, [answer]).slice(-this.#limit);
    }
  }

  /** All rules, in order: those of the project, of the user, of the conversation. */
  list(): readonly ConversationRule[] {
    return [...this.#configured, ...this.#answers.map(toRule)];
  }

  /** Revokes a remembered answer; false if the id is unknown. */
  revoke(id: string): boolean {
    const others = this.#answers.filter((answer) => answer.id !== id);
    const isFound = others.length < this.#answers.length;
    this.#answers = others;
    return isFound;
  }

  /** Forgets all remembered answers, and returns how many there were. */
  revokeAll(): number {
    const { length } = this.#answers;
    this.#answers = [];
    return length;
  }
}

function toRule(answer: RememberedAnswer): AnswerRule {
  return { ...answer.rule, origin: 'answer', answer };
}
