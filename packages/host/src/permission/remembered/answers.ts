import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { ListPlace, StateList } from '@parley/workspace';
import { withAnswers, type AnswerScope, type Rule } from '@parley/workspace/rule';
import { heldToParents } from '../held-to-parents.ts';
import { projectRoot } from './project-root.ts';
import { answerList, mostAnswers, type StoredAnswerRule, type StoredAnswer } from './stored-answer.ts';

/** The session, agent and folder of a question. */
export interface AnswerPlace {
  readonly sessionId: string;
  /** The session's directory. */
  readonly cwd: string;
}

/** An answer to remember, as it is given. */
export interface GivenAnswer {
  readonly scope: AnswerScope;
  readonly rules: readonly Rule[];
  readonly answersRule: boolean;
}

/** Options of {@link Answers}. */
export interface AnswersOptions {
  /** Where the answers are stored: a file of the state folder, or a shared document. @default they are forgotten when the agent ends */
  readonly file?: ListPlace;
  /**
   * The agent that asks, and those that it works for: answers that allow something to it alone do not apply. @default
   * it is not a delegate
   */
  readonly delegate?: { readonly agent: string; readonly parents: readonly string[] };
  /** Called when the file cannot be read or written. New answers still apply in this process. */
  readonly onFailure: (message: string) => void;
}

/** The user's remembered answers. Answers that another program adds or revokes apply from the next request on. */
export class Answers {
  readonly #list: StateList<StoredAnswer> | undefined;
  readonly #stateFolder: string | undefined;
  readonly #onFailure: (message: string) => void;
  readonly #delegate: AnswersOptions['delegate'];
  /** What was answered here and is in no file. */
  #unkept: readonly StoredAnswer[] = [];
  readonly #fresh = new Set<string>();
  readonly #continued = new Set<string>();
  #announce: () => void = () => {};
  #next: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor({ file, onFailure, delegate }: AnswersOptions) {
    this.#delegate = delegate;
    this.#list = file === undefined ? undefined : answerList(file);
    this.#stateFolder = typeof file === 'string' ? dirname(file) : undefined;
    this.#onFailure = onFailure;
    this.#beginWait();
  }

  /** Resolves with the next remembered answer: it may also decide a question that is open. */
  get next(): Promise<void> {
    return this.#next;
  }

  /**
   * Continues a stored session: its answers apply again. Agents may reuse the id of an old session for a new one,
   * which does not call this.
   */
  continueSession(sessionId: string): void {
    this.#continued.add(sessionId);
  }

  /** The answers that count in a session. */
  async rulesFor({ sessionId, cwd }: AnswerPlace): Promise<readonly StoredAnswerRule[]> {
    const all = [...(await this.#kept()), ...this.#unkept];
    if (all.length === 0) return [];
    const project = await this.#project(cwd);
    const rules = all
      .map((answer) => ({ answer, isFresh: this.#fresh.has(answer.id) }))
      .filter(({ answer, isFresh }) => {
        if (answer.scope === 'user') return true;
        if (answer.scope === 'project') return answer.project === project;
        return answer.sessionId === sessionId && (isFresh || this.#continued.has(sessionId));
      })
      .map(({ answer, isFresh }): StoredAnswerRule => ({
        ...answer.rule,
        origin: 'answer',
        answer,
        isFresh,
      }));
    if (this.#delegate === undefined) return rules;
    const { agent, parents } = this.#delegate;
    // What the user has allowed to the delegate itself counts.
    return rules.flatMap((rule) => (rule.isFresh ? [rule] : heldToParents([rule], agent, parents)));
  }

  /** Remembers an answer, and replaces an earlier one about the same calls. */
  async remember({ scope, rules, answersRule }: GivenAnswer, { sessionId, cwd }: AnswerPlace): Promise<void> {
    const time = new Date().toISOString();
    const place =
      scope === 'user' ? {} : scope === 'project' ? { project: await this.#project(cwd) } : { sessionId };
    const answers = rules.map((rule): StoredAnswer => {
      const id = randomUUID().slice(0, 8);
      return { id, scope, rule, answersRule, time, ...place };
    });
    for (const { id } of answers) this.#fresh.add(id);
    if (scope === 'turn' || !(await this.#keep(answers))) this.#unkept = added(this.#unkept, answers);
    const announce = this.#announce;
    this.#beginWait();
    announce();
  }

  /** The turn has ended, and what was answered for it. */
  endTurn(sessionId: string): void {
    this.#unkept = this.#unkept.filter((answer) => answer.scope !== 'turn' || answer.sessionId !== sessionId);
  }

  #beginWait(): void {
    this.#next = new Promise((resolve) => {
      this.#announce = resolve;
    });
  }

  #project(cwd: string): Promise<string> {
    return projectRoot(cwd, this.#stateFolder);
  }

  async #kept(): Promise<readonly StoredAnswer[]> {
    try {
      return (await this.#list?.read()) ?? [];
    } catch (error) {
      this.#fail('remembered answers do not count', error);
      return [];
    }
  }

  async #keep(answers: readonly StoredAnswer[]): Promise<boolean> {
    if (this.#list === undefined) return false;
    try {
      await this.#list.change((known) => added(known, answers));
      return true;
    } catch (error) {
      this.#fail('the answer counts only here', error);
      return false;
    }
  }

  #fail(what: string, error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#onFailure(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function added(known: readonly StoredAnswer[], answers: readonly StoredAnswer[]): readonly StoredAnswer[] {
  return newest(withAnswers(known, answers, isSamePlace));
}

/** Sessions come and go; what was answered for longer is not to make room for them. */
function newest(answers: readonly StoredAnswer[]): readonly StoredAnswer[] {
  let surplus = answers.length - mostAnswers;
  if (surplus <= 0) return answers;
  const kept = answers.filter(({ scope }) => {
    if (surplus === 0 || scope === 'project' || scope === 'user') return true;
    surplus -= 1;
    return false;
  });
  return kept.slice(-mostAnswers);
}

function isSamePlace(left: StoredAnswer, right: StoredAnswer): boolean {
  return left.scope === right.scope && left.sessionId === right.sessionId && left.project === right.project;
}
