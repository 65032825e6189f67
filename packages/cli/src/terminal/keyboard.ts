import type { Writable } from 'node:stream';
import type { KeySource } from '../question/early-keys.ts';
import { bracketedPaste, createKeyReader, type KeyReader, type Typed } from './keys.ts';

/** The terminal that keys are read from. */
export interface KeyboardOptions {
  readonly input: KeySource;
  /** Where the terminal is set up. */
  readonly stream: Writable;
  /** The terminal understands nothing but text. */
  readonly isDumb: boolean;
  /** Called with what came at once. */
  readonly onTyped: (typed: readonly Typed[]) => void;
  readonly onEnd: () => void;
}

/** The keys of a terminal in raw mode. Disposing restores the terminal. */
export class Keyboard implements Disposable {
  readonly #options: KeyboardOptions;
  readonly #keys: KeyReader;

  constructor(options: KeyboardOptions) {
    const { input, onTyped, onEnd } = options;
    this.#options = options;
    this.#keys = createKeyReader(onTyped);
    input.on('data', this.#read);
    input.on('end', onEnd);
    process.on('exit', this.#restore);
    this.#grab();
  }

  /** Gives the terminal to something else until what this returns is called. */
  release(): () => void {
    this.#options.input.pause();
    this.#restore();
    return () => {
      this.#grab();
    };
  }

  [Symbol.dispose](): void {
    const { input, onEnd } = this.#options;
    input.off('data', this.#read);
    input.off('end', onEnd);
    process.off('exit', this.#restore);
    this.#restore();
    input.pause();
    this.#keys[Symbol.dispose]();
  }

  readonly #read = (chunk: Buffer): void => {
    this.#keys.read(chunk);
  };

  readonly #restore = (): void => {
    const { input, stream, isDumb } = this.#options;
    if (!isDumb) stream.write(bracketedPaste.off);
    input.setRawMode(false);
  };

  #grab(): void {
    const { input, stream, isDumb } = this.#options;
    input.setRawMode(true);
    input.resume();
    if (!isDumb) stream.write(bracketedPaste.on);
  }
}
