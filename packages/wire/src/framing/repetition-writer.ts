import { VariedText } from './varied-text.ts';

/** Writes values as `JSON.stringify` does. Of values that differ from the one before in one text alone, only that text is written. */
export class RepetitionWriter {
  #varied: VariedText | undefined;
  /** How many values are written whole until the next one is learned from. */
  #left = 2;
  /** The same after that one, if no value is like it: values without a pattern cost no more than a few looks at them. */
  #pause = 1;

  /** @throws The value is no JSON. */
  write(value: unknown): string {
    const known = this.#varied?.write(value);
    if (known !== undefined) {
      this.#pause = 1;
      return known;
    }
    const json = toJson(value);
    this.#left -= 1;
    if (this.#left <= 0) {
      this.#varied = VariedText.in(value, json);
      this.#left = this.#pause;
      this.#pause = Math.min(2 * this.#pause, longestPause);
    }
    return json;
  }
}

/** Values between two looks for a pattern, at most. */
const longestPause = 1024;

/**
 * The JSON of a value. A function or a symbol is no JSON, and `JSON.stringify` returns undefined without throwing.
 *
 * @throws The value is no JSON.
 */
export function toJson(value: unknown): string {
  const json: unknown = JSON.stringify(value);
  if (typeof json === 'string') return json;
  throw new TypeError('JSON cannot hold it');
}
