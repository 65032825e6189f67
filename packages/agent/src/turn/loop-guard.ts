import type { ModelToolCall } from '../model/model.ts';

/** Notices a model that makes the same call again and again. */
export class LoopGuard {
  readonly #limit: number;
  #lastCall: string | undefined;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a call; true when the same one, with the same arguments, came as often in a row as the limit says. */
  isLoop({ name, input }: ModelToolCall): boolean {
    const call = JSON.stringify([name, input]);
    this.#count = call === this.#lastCall ? this.#count + 1 : 1;
    this.#lastCall = call;
    return this.#count >= this.#limit;
  }
}
