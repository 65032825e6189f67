import { isDeepStrictEqual } from 'node:util';
import type { ToolCall } from '@parley/aap';
import type { CallAnswer } from '@parley/aap/server';

/** Calls that were granted while the agent that had asked was gone: each may be made once without asking again. */
export class EarlierGrants {
  readonly #calls: ToolCall[];

  constructor(answers: readonly CallAnswer[] = []) {
    this.#calls = answers.flatMap(({ call, kind }) => (kind === 'granted' ? [call] : []));
  }

  /** Uses up the grant for a call of that kind with that input; undefined if there is none. */
  take({ name, input }: ToolCall): ToolCall | undefined {
    const index = this.#calls.findIndex(
      (call) => call.name === name && isDeepStrictEqual({ ...call.input }, { ...input }),
    );
    if (index < 0) return undefined;
    return this.#calls.splice(index, 1)[0];
  }

  /** Those that are left: the agent did not make use of them. */
  drain(): readonly ToolCall[] {
    return this.#calls.splice(0);
  }
}
