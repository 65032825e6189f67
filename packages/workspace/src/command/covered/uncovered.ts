import type { CommandWord } from '../command-part.ts';
import type { ListedOption, Listing } from './listing.ts';
import { programListings } from './program-listings.ts';

/**
 * Explains why a rule for the first words of a command does not cover the rest; undefined if it does. The words of
 * the rule are the user's choice. After them, only words and options are accepted that are known not to run or write
 * anything else.
 *
 * @param prefix The rule's words, with which the command starts.
 */
export function uncoveredWord(prefix: readonly string[], words: readonly CommandWord[]): string | undefined {
  if (words.length === prefix.length) return undefined;
  const [program = ''] = prefix;
  const listing = programListings.get(program);
  if (listing === undefined) {
    return `no list of harmless words exists for "${program}": a rule for its first words covers exactly these words`;
  }
  return readWords(new Reader(program, prefix.length, words), listing);
}

/** Whether the harmless words of a program are known. */
export function hasHarmlessWords(program: string): boolean {
  return programListings.has(program);
}

/** Whether all words of a command are known to run and write nothing else, regardless of the rule. */
export function isKnownHarmless(words: readonly CommandWord[]): boolean {
  const [program] = words;
  const listing = program?.isLiteral === true ? programListings.get(program.text) : undefined;
  if (program === undefined || listing === undefined) return false;
  return readWords(new Reader(program.text, 'any', words), listing) === undefined;
}

function readWords(reader: Reader, listing: Listing): string | undefined {
  try {
    reader.read(listing);
    return undefined;
  } catch (error) {
    if (error instanceof Uncovered) return error.message;
    throw error;
  }
}

/** Thrown at the first word that is not covered; it never leaves this file. */
class Uncovered extends Error {
  override readonly name = 'Uncovered';
}

class Reader {
  readonly #words: readonly CommandWord[];
  /** How many of the words the rule names; with `any`, every subcommand counts as named. */
  readonly #named: number | 'any';
  /** The program and its subcommands so far. */
  #name: string;
  #at = 1;

  constructor(program: string, named: number | 'any', words: readonly CommandWord[]) {
    this.#name = program;
    this.#named = named;
    this.#words = words;
  }

  read(listing: Listing): void {
    const { subcommands, takesAnyWord } = listing;
    if (takesAnyWord) return;
    if (subcommands === undefined) {
      this.#readArguments(listing);
      return;
    }
    const word = this.#skipOptions(listing);
    // Options alone: `git --version`.
    if (word === undefined) return;
    const next = word.isLiteral ? (subcommands.get(word.text) ?? this.#other(listing, word)) : undefined;
    if (next === undefined) throw this.#unknown(word);
    this.#name = `${this.#name} ${word.text}`;
    if (next.isNamedOnly && this.#named !== 'any' && !this.#isNamed) {
      throw new Uncovered(`the rule does not name "${this.#name}", which changes something or runs code`);
    }
    this.#at += 1;
    this.read(next);
  }

  get #isNamed(): boolean {
    return this.#named !== 'any' && this.#at < this.#named;
  }

  #other({ otherSubcommand }: Listing, { text }: CommandWord): Listing | undefined {
    return /^[A-Za-z][\w:.-]*$/u.test(text) ? otherSubcommand : undefined;
  }

  /** Options before a subcommand. */
  #skipOptions(listing: Listing): CommandWord | undefined {
    for (;;) {
      const word = this.#words[this.#at];
      if (word === undefined || !mayBeOption(word)) return word;
      // What an option of the rule's own takes as its value is not known.
      this.#readOption(word, listing);
    }
  }

  #readArguments(listing: Listing): void {
    let operands = 0;
    for (;;) {
      const word = this.#words[this.#at];
      if (word === undefined) return;
      if (word.isLiteral && word.text === '--') {
        this.#at += 1;
        if (listing.passedOn === undefined) this.#readOperands(listing, operands);
        else this.#readArguments(listing.passedOn);
        return;
      }
      if (mayBeOption(word)) {
        if (this.#at + 1 === this.#named) this.#at += 1;
        else this.#readOption(word, listing);
      } else {
        this.#readOperand(word, listing, operands);
        operands += 1;
      }
    }
  }

  /** Reads the words after `--`, among which there are no options. */
  #readOperands(listing: Listing, before: number): void {
    for (let index = before; this.#at < this.#words.length; index += 1) {
      const word = this.#words[this.#at];
      if (word !== undefined) this.#readOperand(word, listing, index);
    }
  }

  #readOperand(word: CommandWord, { operands, mostOperands }: Listing, index: number): void {
    if (!this.#isNamed && (index >= mostOperands || !operands(word, index))) throw this.#unknown(word);
    this.#at += 1;
  }

  #readOption(word: CommandWord, listing: Listing): void {
    if (!word.isLiteral) throw new Uncovered(`"${word.text}" may become an option of "${this.#name}"`);
    const read = readOption(word.text, listing);
    if (typeof read === 'string') throw this.#unlisted(read, word);
    this.#at += 1;
    if (!read.takesNext) return;
    const value = this.#words[this.#at];
    if (value === undefined) return;
    // Were the option in truth one without a value, this word would be an option of its own.
    const isNumber = listing.isSingleDash && value.isLiteral && /^-\d+[A-Za-z]?$/u.test(value.text);
    if ((mayBeOption(value) && !isNumber) || !read.option.accepts(value)) throw this.#unknown(value);
    this.#at += 1;
  }

  #unlisted(option: string, word: CommandWord): Uncovered {
    const within = option === word.text ? '' : ` in "${word.text}"`;
    return new Uncovered(`the option "${option}"${within} of "${this.#name}" is not known to be harmless`);
  }

  #unknown({ text, isLiteral }: CommandWord): Uncovered {
    return isLiteral
      ? new Uncovered(`the word "${text}" after "${this.#name}" is not known to be harmless`)
      : new Uncovered(`the value of "${text}" after "${this.#name}" is unknown`);
  }
}

interface ReadOption {
  readonly option: ListedOption;
  /** Its value is the next word. */
  readonly takesNext: boolean;
}

const flag: ListedOption = { value: 'none', accepts: () => false };

/** Looks an option up; the option that is not listed, where one is not. */
function readOption(text: string, { options, isSingleDash }: Listing): ReadOption | string {
  const whole = options.get(text);
  if (whole !== undefined) return { option: whole, takesNext: whole.value === 'required' };
  if (/^-\d+$/u.test(text) && options.has('-#')) return { option: flag, takesNext: false };
  const at = text.indexOf('=');
  if (text.startsWith('--') || isSingleDash) {
    const name = at === -1 ? text : text.slice(0, at);
    const option = options.get(name);
    const value = { text: text.slice(at + 1), isLiteral: true };
    const isKnown = option !== undefined && at !== -1 && option.value !== 'none' && option.accepts(value);
    return isKnown ? { option, takesNext: false } : name;
  }
  return readLetters(text, options);
}

/** `-am`, `-n5`: letters, and behind one that has a value, the value. */
function readLetters(text: string, options: Listing['options']): ReadOption | string {
  for (let index = 1; index < text.length; index += 1) {
    const letter = `-${text.charAt(index)}`;
    const option = options.get(letter);
    if (option === undefined) return letter;
    if (option.value === 'none') continue;
    const value = text.slice(index + 1);
    if (value === '') return { option, takesNext: option.value === 'required' };
    return option.accepts({ text: value, isLiteral: true }) ? { option, takesNext: false } : letter;
  }
  return { option: flag, takesNext: false };
}

/** Whether a word is an option, or may be one when the shell has expanded it. A lone `-` is a file. */
function mayBeOption({ text, isLiteral }: CommandWord): boolean {
  if (isLiteral) return text.startsWith('-') && text !== '-';
  // One word for certain, with a beginning that is known: within quotes, or a pattern of files in a known folder.
  const isQuoted = /^"[^"$`\\-][^"]*"$/u.test(text) && !/\$\{?@/u.test(text);
  const isPattern = /^(?:~\/|[\w./])[^$`"'\\<>]*$/u.test(text);
  return !isQuoted && !isPattern;
}
