import type { CommandPart, CommandWord } from '../command-part.ts';
import { resolveValues } from './resolve-values.ts';

/**
 * Guesses at the commands of a line that `splitCommand` cannot take apart for certain. Good enough to find what must
 * never run; never a reason to allow something.
 */
export function guessCommands(line: string): readonly CommandPart[] {
  const guess = new Guess();
  guess.read(resolveValues(turnHereStrings(dropTexts(line.replaceAll('\\\n', '')))));
  return guess.parts;
}

/** Removes the text of a here-document that no shell reads; what it substitutes is run all the same. */
function dropTexts(line: string): string {
  return line.replaceAll(
    /^(.*)<<-?[ \t]*(['"\\]?)(\w+)['"]?(.*)\n([\s\S]*?)\n[ \t]*\3[ \t]*$/gmu,
    (whole, before: string, quote: string, _word: string, after: string, body: string) => {
      // `xargs` takes the lines as words, as it does those of `echo`.
      if (/\bxargs\b/u.test(before + after)) return `echo ${body.replaceAll('\n', ' ')} | ${before + after}`;
      if (/\b(?:sh|bash|zsh|dash|ksh|ash|fish|eval|ssh)\b/u.test(before + after)) return whole;
      const run = quote === '' ? (body.match(/\$\([^)]*\)|`[^`]*`/gu) ?? []) : [];
      return [before + after, ...run].join('\n');
    },
  );
}

/** `sh <<< LINE` is `echo LINE | sh`. */
function turnHereStrings(line: string): string {
  return line.replaceAll(/([^;&|\n]*)<<<\s*('[^']*'|"[^"]*"|[^\s;&|]+)/gu, 'echo $2 | $1');
}

/** Words that stand before a command without being one. */
const leadingWords: ReadonlySet<string> = new Set(
  '! if then elif else fi while until do done esac function coproc { }'.split(' '),
);

class Guess {
  readonly parts: CommandPart[] = [];
  #words: CommandWord[] = [];
  #writes: CommandWord[] = [];
  #word: CommandWord | undefined;
  #isTarget = false;

  read(line: string): void {
    for (let at = 0; at < line.length; at += 1) at = this.#readAt(line, at);
    this.#endCommand();
  }

  /** Takes what stands at the place, and gives the place of its last character. */
  #readAt(line: string, at: number): number {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    if (character === '\\') {
      this.#add(next);
      return at + 1;
    }
    if (character === '$' && next === "'") return this.#readEscaped(line, at + 2);
    if (character === "'") return this.#readUntil(line, at + 1, "'");
    if (character === '"') return this.#readDoubleQuoted(line, at + 1);
    if (character === '#' && this.#word === undefined) {
      const end = line.indexOf('\n', at);
      return end === -1 ? line.length : end - 1;
    }
    if (' \t'.includes(character)) this.#endWord();
    else if (character === '>') {
      this.#endWord();
      this.#isTarget = true;
      return '>|&'.includes(next) && next !== '' ? at + 1 : at;
    } else if (character === '{' && !/[\s]/u.test(next)) this.#add(character);
    else if (character === '}' && this.#word !== undefined) this.#add(character);
    else if (';|&\n(){}`<'.includes(character)) this.#endCommand();
    else if (character !== '$' || next !== '(') this.#add(character, '*?[~$'.includes(character));
    return at;
  }

  #readUntil(line: string, from: number, end: string): number {
    const found = line.indexOf(end, from);
    const to = found === -1 ? line.length : found;
    this.#add(line.slice(from, to));
    return to;
  }

  /** `$'…'`. */
  #readEscaped(line: string, from: number): number {
    let to = from;
    while (to < line.length && line.charAt(to) !== "'") to += line.charAt(to) === '\\' ? 2 : 1;
    const text = line
      .slice(from, to)
      .replaceAll(/\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|([0-7]{1,3})|([\s\S]))/giu, toCharacter);
    this.#add(text);
    return to;
  }

  #readDoubleQuoted(line: string, from: number): number {
    this.#add('');
    let at = from;
    for (; at < line.length && line.charAt(at) !== '"'; at += 1) {
      const rest = line.slice(at);
      const inner = /^\$\(([^"]*)\)|^`([^`]*)`/u.exec(rest);
      if (inner !== null) {
        this.parts.push(...guessCommands(inner[1] ?? inner[2] ?? ''));
        at += inner[0].length - 1;
        this.#add('$', true);
      } else if (line.charAt(at) === '\\' && at + 1 < line.length) {
        at += 1;
        this.#add(line.charAt(at));
      } else this.#add(line.charAt(at), line.charAt(at) === '$');
    }
    return at;
  }

  #add(text: string, isExpanded = false): void {
    const { text: before = '', isLiteral = true } = this.#word ?? {};
    this.#word = { text: before + text, isLiteral: isLiteral && !isExpanded };
  }

  #endWord(): void {
    const word = this.#word;
    this.#word = undefined;
    if (word === undefined) return;
    if (this.#isTarget) this.#writes.push(word);
    else if (this.#words.length > 0 || !isLeading(word.text)) this.#words.push(word);
    this.#isTarget = false;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#words.length > 0 || this.#writes.length > 0) {
      this.parts.push({ words: this.#words, assignments: [], writes: this.#writes, reads: [] });
    }
    this.#words = [];
    this.#writes = [];
  }
}

function isLeading(text: string): boolean {
  return leadingWords.has(text) || /^[A-Za-z_]\w*=/u.test(text);
}

function toCharacter(_whole: string, hex?: string, unicode?: string, octal?: string, other?: string): string {
  if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
  if (unicode !== undefined) return String.fromCodePoint(Number.parseInt(unicode, 16));
  if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
  switch (other) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    default:
      return other ?? '';
  }
}
