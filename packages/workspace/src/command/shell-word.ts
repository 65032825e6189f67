import type { CommandWord } from './command-part.ts';
import { type Cursor, Unclear } from './cursor.ts';

/** A word, and how it was written: a reserved word, or the name of an assignment, is one only without quotes. */
export interface ShellWord extends CommandWord {
  readonly source: string;
}

/** Reads the commands of a substitution up to its end. */
export interface Substitutions {
  /** Reads on after `$(`, `<(` or `>(`, up to and with the `)`. */
  readParenthesised(): void;
  /** Reads commands that stood between backticks. */
  readBackticks(line: string): void;
}

/** Reads one word; empty if none starts here. Its substitutions are parsed as commands. */
export function readWord(cursor: Cursor, substitutions: Substitutions): ShellWord | undefined {
  const start = cursor.at;
  const word = new WordReader(cursor, substitutions);
  word.read();
  if (cursor.at === start) return undefined;
  const source = cursor.since(start);
  const isLiteral = word.isLiteral || source === '[' || source === '{}';
  return { text: isLiteral ? word.text : source, isLiteral, source };
}

/** Whether a word, or the space between words, ends at this character. */
export function isDelimiter(character: string): boolean {
  return character === '' || ' \t\n;&|<>()'.includes(character);
}

const simpleParameter =
  /\{(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])\}|[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y;

class WordReader {
  readonly #cursor: Cursor;
  readonly #substitutions: Substitutions;
  readonly #start: number;
  readonly #pieces: string[] = [];
  /** The last character of the text so far. */
  #last = '';
  isLiteral = true;

  constructor(cursor: Cursor, substitutions: Substitutions) {
    this.#cursor = cursor;
    this.#substitutions = substitutions;
    this.#start = cursor.at;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  #add(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#last = text.at(-1) ?? '';
  }

  read(): void {
    this.#readProcessSubstitution();
    while (!isDelimiter(this.#cursor.peek())) this.#readUnquoted();
    // A function, an array, an extended pattern, or a process substitution within a word.
    const isBegun = this.#cursor.at > this.#start;
    if (isBegun && this.#cursor.match(/[<>]?\(/y) !== undefined) throw new Unclear('a parenthesis');
  }

  /** `<(…)` and `>(…)` expand to a file name. */
  #readProcessSubstitution(): void {
    if (!this.#cursor.accept('<(') && !this.#cursor.accept('>(')) return;
    this.isLiteral = false;
    this.#substitutions.readParenthesised();
  }

  #readUnquoted(): void {
    const character = this.#cursor.next();
    switch (character) {
      case '\\':
        this.#add(this.#cursor.next());
        return;
      case "'":
        this.#add(this.#cursor.until("'"));
        return;
      case '"':
        this.#readDoubleQuotes();
        return;
      case '$':
        // In $'…' a quote may be escaped, or it is a plain '…' behind a dollar sign.
        if (this.#cursor.match(/['"]/y) !== undefined) throw new Unclear('not the same in each shell');
        this.#readDollar();
        return;
      case '`':
        this.#readBackticks(false);
        return;
      default:
        if (this.#isExpanded(character)) this.isLiteral = false;
        this.#add(character);
    }
  }

  /** Patterns, brace expansion, `=` before a name, and `~` where it may be a home directory. */
  #isExpanded(character: string): boolean {
    if ('*?[{'.includes(character)) return true;
    // `=git` is the path of `git` to some shells.
    if (character === '=' && this.#last === '' && /[A-Za-z_]/.test(this.#cursor.peek())) return true;
    return character === '~' && (this.#last === '' || this.#last === '=' || this.#last === ':');
  }

  #readDoubleQuotes(): void {
    for (;;) {
      const character = this.#cursor.next();
      if (character === '"') return;
      if (character === '$') this.#readDollar();
      else if (character === '`') this.#readBackticks(true);
      else if (character === '\\' && '$`"\\'.includes(this.#cursor.peek())) this.#add(this.#cursor.next());
      else this.#add(character);
    }
  }

  #readDollar(): void {
    if (this.#cursor.accept('((')) throw new Unclear('arithmetic can hide a command');
    if (this.#cursor.accept('(')) {
      this.isLiteral = false;
      this.#substitutions.readParenthesised();
      return;
    }
    if (this.#cursor.match(simpleParameter) !== undefined) {
      this.isLiteral = false;
      return;
    }
    if (this.#cursor.match(/[{[]/y) !== undefined) throw new Unclear('an expansion with operators');
    this.#add('$');
  }

  #readBackticks(isQuoted: boolean): void {
    const line = this.#cursor.until('`');
    // Escapes are taken off twice in there, and quotes within quotes are each shell's own business.
    if (line.includes('\\') || (isQuoted && line.includes('"'))) throw new Unclear('quotes within backticks');
    this.isLiteral = false;
    this.#substitutions.readBackticks(line);
  }
}
