import type { CommandAssignment, CommandPart, CommandWord } from './command-part.ts';
import { mostWords } from './command-size.ts';
import { Cursor, Unclear } from './cursor.ts';
import { type ShellWord, isDelimiter, readWord } from './shell-word.ts';
import { isEvaluating, isReservedWord, isTimedSyntax } from './unclear-words.ts';

/** Reads a whole line and returns its parts; throws `Unclear`. */
export function parseShellLine(line: string, depth = 0): readonly CommandPart[] {
  if (depth > mostDepth) throw new Unclear('nested too deeply');
  const parser = new ShellParser(new Cursor(line), depth);
  parser.readList('');
  return parser.parts;
}

/** Nesting depth of a shell line. */
const mostDepth = 20;
/** Parts of a shell line. */
const mostParts = 1000;

/** A command while it is read. */
interface OpenPart {
  readonly words: CommandWord[];
  readonly assignments: CommandAssignment[];
  readonly writes: CommandWord[];
  readonly reads: CommandWord[];
}

function openPart(): OpenPart {
  return { words: [], assignments: [], writes: [], reads: [] };
}

type ListEnd = '' | ')' | '}';

class ShellParser {
  readonly parts: CommandPart[] = [];
  readonly #cursor: Cursor;
  #depth: number;
  #words = 0;

  constructor(cursor: Cursor, depth: number) {
    this.#cursor = cursor;
    this.#depth = depth;
  }

  /** Reads commands up to the end of the list, and takes the end. */
  readList(end: ListEnd): void {
    let needsCommand = false;
    for (;;) {
      this.#skipBlanks('with newlines');
      if (this.#acceptEnd(end)) {
        if (needsCommand) throw new Unclear('a command is missing');
        return;
      }
      this.#readCommand();
      needsCommand = this.#readOperator(end);
    }
  }

  #acceptEnd(end: ListEnd): boolean {
    switch (end) {
      case '':
        return this.#cursor.isAtEnd;
      case ')':
        return this.#cursor.accept(')');
      case '}':
        return isDelimiter(this.#cursor.peek(1)) && this.#cursor.accept('}');
    }
  }

  /** Reads the operator after a command. True if another command has to follow. */
  #readOperator(end: ListEnd): boolean {
    this.#skipBlanks('in the line');
    if (this.#cursor.isAtEnd || (end === ')' && this.#cursor.peek() === ')')) return false;
    if (this.#cursor.accept('&&') || this.#cursor.accept('||')) return true;
    const operator = this.#cursor.next();
    const next = this.#cursor.peek();
    if (operator === '\n') return false;
    if (operator === ';' && next !== ';' && next !== '&') return false;
    if (operator === '&' && next !== '>' && next !== '&') return false;
    if (operator === '|' && next !== '&') return true;
    throw new Unclear('an unknown operator');
  }

  #readCommand(): void {
    if (this.#cursor.peek() === '!' && isBlank(this.#cursor.peek(1))) {
      this.#cursor.next();
      this.#skipBlanks('in the line');
    }
    if (this.#cursor.accept('((')) throw new Unclear('arithmetic can hide a command');
    if (this.#cursor.accept('(')) {
      this.#readNested(')');
      this.#readRedirectionsAfterGroup();
      return;
    }
    if (this.#cursor.peek() === '{' && isBlank(this.#cursor.peek(1))) {
      this.#cursor.next();
      this.#readNested('}');
      this.#readRedirectionsAfterGroup();
      return;
    }
    this.#readSimpleCommand();
  }

  #readNested(end: ')' | '}'): void {
    if (++this.#depth > mostDepth) throw new Unclear('nested too deeply');
    this.readList(end);
    this.#depth--;
  }

  #readSimpleCommand(): void {
    const part = openPart();
    let isEmpty = true;
    for (;;) {
      this.#skipBlanks('in the line');
      if (!this.#readRedirection(part)) {
        const word = this.#readWord();
        if (word === undefined) break;
        addWord(part, word);
      }
      isEmpty = false;
    }
    if (isEmpty || this.#cursor.peek() === '(') throw new Unclear('no command');
    if (isTimedSyntax(part.words)) throw new Unclear('syntax after time');
    if (isEvaluating(part.words)) throw new Unclear('evaluates its arguments');
    this.#add(part);
  }

  #add(...parts: readonly CommandPart[]): void {
    this.parts.push(...parts);
    this.#words += parts.reduce((sum, { words }) => sum + words.length, 0);
    if (this.parts.length > mostParts || this.#words > mostWords) throw new Unclear('too many commands');
  }

  /** A group's redirections are a part of their own, without words. */
  #readRedirectionsAfterGroup(): void {
    const part = openPart();
    this.#skipBlanks('in the line');
    while (this.#readRedirection(part)) this.#skipBlanks('in the line');
    if (part.writes.length > 0 || part.reads.length > 0) this.#add(part);
    const next = this.#cursor.peek();
    if (!isDelimiter(next) || next === '(') throw new Unclear('a word after a group');
  }

  #readRedirection(part: OpenPart): boolean {
    // `<(…)` and `>(…)` are words.
    if (this.#cursor.peek(1) === '(' && '<>'.includes(this.#cursor.peek())) return false;
    const operator = this.#cursor.match(/[0-9]*(?:<<|<&|<>|>>|>&|>\||<|>)/y);
    if (operator === undefined) return false;
    // A descriptor of two digits is a word to some shells; so is what `2>(…)` does each shell's own business.
    if (/^[0-9]{2}/.test(operator) || this.#cursor.peek() === '(') throw new Unclear('a redirection');
    const sign = operator.replace(/^[0-9]/, '');
    if (sign === '<<') throw new Unclear('a here-document');
    this.#skipBlanks('in the line');
    const target = this.#readWord();
    if (target === undefined) throw new Unclear('a redirection without a target');
    if (sign.endsWith('&')) {
      if (!/^(?:[0-9]|-)$/.test(target.source)) throw new Unclear('a redirection to no descriptor');
    } else if (target.source !== '/dev/null') {
      const { text, isLiteral } = target;
      (sign === '<' ? part.reads : part.writes).push({ text, isLiteral });
    }
    return true;
  }

  #readWord(): ShellWord | undefined {
    return readWord(this.#cursor, {
      readParenthesised: () => this.#readNested(')'),
      readBackticks: (line) => {
        this.#add(...parseShellLine(line, this.#depth + 1));
      },
    });
  }

  #skipBlanks(extent: 'in the line' | 'with newlines'): void {
    for (;;) {
      if (this.#cursor.match(extent === 'in the line' ? /[ \t]+/y : /[ \t\n]+/y) !== undefined) continue;
      if (this.#cursor.peek() !== '#') return;
      // How far a comment in a substitution goes is not alike in each shell.
      if (this.#depth > 0) throw new Unclear('a comment in a substitution');
      this.#cursor.match(/[^\n]*/y);
    }
  }
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\n';
}

function addWord(part: OpenPart, word: ShellWord): void {
  const { text, isLiteral } = word;
  const name = /^[A-Za-z_][A-Za-z0-9_]*(?=\+?=)/.exec(word.source)?.[0];
  if (part.words.length > 0 || name === undefined) {
    if (part.words.length === 0) checkCommandWord(word);
    part.words.push({ text, isLiteral });
    return;
  }
  part.assignments.push({ name, value: { text: text.slice(text.indexOf('=') + 1), isLiteral } });
}

function checkCommandWord(word: ShellWord): void {
  if (!word.isLiteral || isReservedWord(word.source)) throw new Unclear('no plain command');
}
