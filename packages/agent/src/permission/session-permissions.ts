import { isSameScope, type Rule, type RuleScope } from '@parley/workspace/rule';
import type { RuleBook, Ruling, Subject } from './rule-book.ts';
import type { ConfiguredRule } from './rule.ts';

/** A rule that holds in a session. */
export interface SessionRule extends Rule {
  readonly origin: 'user' | 'project' | 'session';
  /** What a rule of the session is revoked by; never given twice. */
  readonly number?: number;
}

/** What the permissions of one session begin with. */
export interface SessionPermissionsOptions {
  readonly book: RuleBook;
  readonly configured: readonly ConfiguredRule[];
  /** How many answers are remembered; of more the oldest is forgotten. */
  readonly limit: number;
}

interface RememberedRule extends SessionRule {
  readonly number: number;
  /** The question was asked because a rule said so: the answer is one to that rule too. */
  readonly answersRule: boolean;
}

/** The rules of a session: those it began with, and the lasting answers of its user. */
export class SessionPermissions {
  readonly #book: RuleBook;
  readonly #configured: readonly SessionRule[];
  readonly #limit: number;
  #remembered: readonly RememberedRule[] = [];
  #lastNumber = 0;

  constructor({ book, configured, limit }: SessionPermissionsOptions) {
    this.#book = book;
    this.#configured = configured.map((rule) => ({ origin: 'user', ...rule }));
    this.#limit = limit;
  }

  /** Whether there is no rule, so that nothing needs to be judged. */
  get isEmpty(): boolean {
    return this.#configured.length === 0 && this.#remembered.length === 0;
  }

  /** What the rules say about a call. */
  judge(subject: Subject): Ruling<SessionRule> | undefined {
    const ruling = this.#book.judge(subject, [...this.#configured, ...this.#remembered]);
    if (ruling?.decision !== 'ask') return ruling;
    const answers = this.#remembered.filter(({ answersRule }) => answersRule);
    const answered = this.#book.judge(subject, answers);
    return answered?.decision === 'allow' ? answered : ruling;
  }

  /** What a lasting answer about a call covers. */
  narrowest(subject: Subject): readonly RuleScope[] {
    return this.#book.narrowest(subject);
  }

  /** Keeps a lasting answer, in the place of an earlier one about the same. */
  remember(
    scopes: readonly RuleScope[],
    decision: 'allow' | 'deny',
    { answersRule }: { readonly answersRule: boolean },
  ): void {
    for (const scope of scopes) {
      const others = this.#remembered.filter((rule) => !isSameScope(rule, scope));
      this.#lastNumber += 1;
      const rule = { ...scope, decision, origin: 'session', number: this.#lastNumber, answersRule } as const;
      this.#remembered = [...others, rule].slice(-this.#limit);
    }
  }

  /** All rules: those of the project, of the user, of the session, each in the order they came. */
  list(): readonly SessionRule[] {
    return [...this.#configured, ...this.#remembered];
  }

  /** A rule for a reader. */
  textOf(rule: Rule): string {
    return this.#book.textOf(rule);
  }

  /** Forgets one lasting answer; false when there is none with this number. */
  revoke(number: number): boolean {
    const kept = this.#remembered.filter((rule) => rule.number !== number);
    const isFound = kept.length < this.#remembered.length;
    this.#remembered = kept;
    return isFound;
  }

  /** Forgets all lasting answers, and says how many there were. */
  revokeAll(): number {
    const { length } = this.#remembered;
    this.#remembered = [];
    return length;
  }
}
