import { isDeepStrictEqual } from 'node:util';
import type { ToolCall } from '@parley/aap';
import type { CallAnswer } from '@parley/aap/server';

type CallOf = Pick<ToolCall, 'name' | 'input'>;
type ResultAnswer = Extract<CallAnswer, { readonly kind: 'result' }>;

/**
 * Answers of an application to an agent process that has ended. The agent may make the same call again; each answer
 * is used once.
 */
export class EarlierAnswers {
  readonly #answers: CallAnswer[];

  constructor(answers: readonly CallAnswer[] = []) {
    this.#answers = [...answers];
  }

  /** Uses up the permission for a call of this kind with this input; undefined if there is none. */
  takeGrant(call: CallOf): ToolCall | undefined {
    const found = this.#answers.find((answer) => answer.kind === 'granted' && isSame(answer.call, call));
    return found === undefined ? undefined : this.#remove(found).call;
  }

  /** Uses up the result for a call of one of the application's tools with this input; undefined if there is none. */
  takeResult(call: CallOf): ResultAnswer['content'] | undefined {
    const found = this.#answers.find(
      (answer): answer is ResultAnswer => answer.kind === 'result' && isSame(answer.call, call),
    );
    return found === undefined ? undefined : this.#remove(found).content;
  }

  /** The calls that were granted and that the agent did not make. */
  unusedGrants(): readonly ToolCall[] {
    return this.#answers.flatMap(({ kind, call }) => (kind === 'granted' ? [call] : []));
  }

  #remove<Answer extends CallAnswer>(answer: Answer): Answer {
    this.#answers.splice(this.#answers.indexOf(answer), 1);
    return answer;
  }
}

function isSame(one: CallOf, other: CallOf): boolean {
  return one.name === other.name && isDeepStrictEqual({ ...one.input }, { ...other.input });
}
