import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { nowhere, type TypedKey } from './keys.ts';

/** Lines that the arrow keys can recall. */
const historySize = 500;

/** What represents a line break in the one line that `node:readline` edits; it is no character of any text. */
const lineBreak = '\uFDD0';

/** A text of one or more lines that is being typed, with the keys of `node:readline`. It draws nothing. */
export class LineEditor implements Disposable {
  readonly #lines: Interface;
  #submitted = '';

  constructor() {
    this.#lines = createInterface({
      input: new PassThrough(),
      output: nowhere(),
      terminal: true,
      historySize,
      removeHistoryDuplicates: true,
    });
    this.#lines.on('line', (line) => {
      this.#submitted = toText(line);
    });
  }

  get text(): string {
    return toText(this.#lines.line);
  }

  /** Where the next character goes. */
  get cursor(): number {
    return this.#lines.cursor;
  }

  insert(text: string): void {
    const line = text.replaceAll(lineBreak, '\uFFFD').replaceAll('\n', lineBreak);
    // These would end the line.
    this.#lines.write(line.replace(/[\r\u2028\u2029]/gu, lineBreak));
  }

  /** Takes a key that edits. */
  press(key: TypedKey): void {
    const { name, text, isControl, isMeta, isShift } = key;
    const isPlain = !isControl && !isMeta;
    if (isPlain && text !== '') this.insert(text);
    else if (isPlain && stepKeys.has(name)) this.#step(name);
    else if (isPlain && (name === 'up' || name === 'down') && this.#moveLine(name)) return;
    else this.#write({ name, ctrl: isControl, meta: isMeta, shift: isShift });
  }

  /** Removes some of what stands before the cursor, and puts a text in its place. */
  replaceBefore(length: number, text: string): void {
    for (const _ of this.text.slice(this.cursor - length, this.cursor)) this.#write({ name: 'backspace' });
    this.insert(text);
  }

  /** Ends the text: the arrow keys bring it back. */
  submit(): string {
    this.#write({ name: 'return' });
    return this.#submitted;
  }

  /** Gives all of the text, and begins another. */
  clear(): string {
    const { text } = this;
    this.#write({ name: 'e', ctrl: true });
    this.#write({ name: 'u', ctrl: true });
    return text;
  }

  [Symbol.dispose](): void {
    this.#lines.close();
  }

  #write(key: { readonly name: string; readonly ctrl?: boolean; readonly meta?: boolean; shift?: boolean }) {
    this.#lines.write(null, key);
  }

  /** A key that goes over one character goes over all code points of what a user sees as one. */
  #step(name: string): void {
    const isBack = name === 'left' || name === 'backspace';
    const graphemes = [
      ...segmenter.segment(isBack ? this.#before() : this.text.slice(this.cursor, this.cursor + farthest)),
    ];
    const grapheme = graphemes.at(isBack ? -1 : 0)?.segment ?? '';
    for (const _ of grapheme) this.#write({ name });
  }

  #before(): string {
    return this.text.slice(Math.max(0, this.cursor - farthest), this.cursor);
  }

  /** Goes to the line above or below, if there is one. */
  #moveLine(name: 'up' | 'down'): boolean {
    const { text, cursor } = this;
    const start = text.lastIndexOf('\n', cursor - 1) + 1;
    const target =
      name === 'up'
        ? lineAt(text, text.lastIndexOf('\n', start - 2) + 1, start > 0)
        : lineAt(text, text.indexOf('\n', cursor) + 1, text.includes('\n', cursor));
    if (target === undefined) return false;
    this.#moveTo(Math.min(target.start + cursor - start, target.end));
    return true;
  }

  #moveTo(wanted: number): void {
    const isBack = wanted < this.cursor;
    const between = isBack ? this.text.slice(wanted, this.cursor) : this.text.slice(this.cursor, wanted);
    for (const _ of between) this.#write({ name: isBack ? 'left' : 'right' });
  }
}

const stepKeys: ReadonlySet<string> = new Set(['left', 'right', 'backspace', 'delete']);

/** No character that a user sees is longer. */
const farthest = 64;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function toText(line: string): string {
  return line.replaceAll(lineBreak, '\n');
}

function lineAt(text: string, start: number, isThere: boolean): { start: number; end: number } | undefined {
  if (!isThere) return undefined;
  const end = text.indexOf('\n', start);
  return { start, end: end === -1 ? text.length : end };
}
