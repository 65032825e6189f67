/** Thrown where judging a line takes too much work; it never leaves this folder. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/** Characters that are looked at for one line, with all that is found in it. */
const mostCharacters = 512 * 1024;

/** What each text costs besides its characters. */
const textCharacters = 64;

/** The work that is left for judging one line, counted in characters: how long it takes never depends on the line. */
export class Effort {
  #left = mostCharacters;
  readonly #judged = new Map<string, number>();

  /** Counts characters that are about to be looked at. */
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
