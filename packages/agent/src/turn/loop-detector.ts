import type { ModelToolCall } from '../model/model.ts';

/** How often calls may come again. */
export interface LoopLimits {
  /** The same call, so often in a row. */
  readonly maxIdenticalCalls: number;
  /** The same few calls with the same results, so many rounds. */
  readonly maxIdenticalRounds: number;
}

/** Calls in one repeated round. */
const longestRound = 4;

interface SeenCall {
  readonly call: string;
  result: string | undefined;
}

/** Notices a model that goes in circles. */
export class LoopDetector {
  readonly #limits: LoopLimits;
  /** The last calls, as many as the longest loop has. */
  readonly #seen: SeenCall[] = [];

  constructor(limits: LoopLimits) {
    this.#limits = limits;
  }

  /** Takes note of a call that is about to run; says why it is one of a loop, if it is. */
  findLoop({ name, input }: ModelToolCall): string | undefined {
    const { maxIdenticalCalls, maxIdenticalRounds } = this.#limits;
    this.#seen.push({ call: JSON.stringify([name, input]), result: undefined });
    const longest = Math.max(maxIdenticalCalls, longestRound * maxIdenticalRounds);
    if (this.#seen.length > longest) this.#seen.shift();
    if (this.#hasRounds(1, maxIdenticalCalls, (left, right) => left.call === right.call)) {
      return `The same call came ${String(maxIdenticalCalls)} times in a row`;
    }
    for (let length = 2; length <= longestRound; length += 1) {
      if (!this.#hasRounds(length, maxIdenticalRounds, isSame)) continue;
      return `The same ${String(length)} calls, with the same results, came ${String(maxIdenticalRounds)} times in a row`;
    }
    return undefined;
  }

  /** Takes note of what came of the last calls, in their order. */
  takeResults(...results: readonly string[]): void {
    const seen = this.#seen.slice(-results.length);
    for (const [index, call] of seen.entries()) call.result = results[results.length - seen.length + index];
  }

  /** Whether the last calls are so many rounds of this length, each like the one before. */
  #hasRounds(length: number, rounds: number, isLike: (left: SeenCall, right: SeenCall) => boolean): boolean {
    const last = this.#seen.slice(-length * rounds);
    if (last.length < length * rounds) return false;
    return last.slice(length).every((seen, index) => {
      const before = last[index];
      return before !== undefined && isLike(seen, before);
    });
  }
}

/** The last call has no result yet. */
function isSame(left: SeenCall, right: SeenCall): boolean {
  return left.call === right.call && (left.result === undefined || left.result === right.result);
}
