/** Thrown where judging a line takes too much work; it never leaves this folder. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/** Characters that are parsed for one line, including everything nested in it. */
const mostCharacters = 512 * 1024;

/** Fixed cost of each text, in characters. */
const textCharacters = 64;

/** The work that is left for judging one line, counted in characters: how long it takes never depends on the line. */
export class Effort {
  #left = mostCharacters;
  readonly #judged = new Map<string, number>();

  /** Adds a number of characters to process to the effort spent. */
  spend(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new TooMuchWork('judging the line takes too much work');
  }

  /** Counts a line that is about to be judged. False for one that was judged before, and at least as deeply. */
  begin(line: string, depth: number): boolean {
    const before = this.#judged.get(line);
    if (before !== undefined && before <= depth) return false;
    this.spend(line.length + textCharacters);
    this.#judged.set(line, depth);
    return true;
  }
}
