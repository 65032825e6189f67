import type { CommandPart, CommandWord } from '../command-part.ts';
import { resolveValues } from './resolve-values.ts';

/**
 * Guesses the commands of a line that `splitCommand` cannot parse. Good enough to find what must never run; never a
 * reason to allow something.
 */
export function guessCommands(line: string): readonly CommandPart[] {
  const guess = new Guess();
  guess.read(resolveValues(turnHereStrings(dropTexts(line.replaceAll('\\\n', '')))));
  return guess.parts;
}

/** Removes the text of a here-document that no shell reads; what it substitutes is run all the same. */
function dropTexts(line: string): string {
  if (!line.includes('<<')) return line;
  const lines = line.split('\n');
  const places = placesOfLines(lines);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const first = lines[at] ?? '';
    const document = documentAt(first, at, places);
    if (document === undefined) kept.push(first);
    else {
      kept.push(...withoutText(lines.slice(at, document.end + 1), document));
      at = document.end;
    }
  }
  return kept.join('\n');
}

interface HereDocument {
  /** Its first line without the operator. */
  readonly command: string;
  readonly isQuoted: boolean;
  /** The number of the line that ends it. */
  readonly end: number;
}

/** The indexes of the lines that consist of each text, in ascending order. */
function placesOfLines(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = lines.length - 1; at > 0; at -= 1) {
    const text = (lines[at] ?? '').trim();
    const before = places.get(text);
    if (before === undefined) places.set(text, [at]);
    else before.push(at);
  }
  return places;
}

/** The here-document that the last operator of a line begins which has an end, with a text in between. */
function documentAt(line: string, at: number, places: Map<string, number[]>): HereDocument | undefined {
  let document: HereDocument | undefined;
  for (const match of line.matchAll(/<<-?[ \t]*(['"\\]?)(\w+)['"]?/gu)) {
    const [operator, quote, word = ''] = match;
    const ends = places.get(word) ?? [];
    while ((ends.at(-1) ?? Number.POSITIVE_INFINITY) < at + 2) ends.pop();
    const end = ends.at(-1);
    if (end === undefined) continue;
    const command = line.slice(0, match.index) + line.slice(match.index + operator.length);
    document = { command, isQuoted: quote !== '', end };
  }
  return document;
}

/** What is left of the lines of a here-document. */
function withoutText(lines: readonly string[], { command, isQuoted }: HereDocument): readonly string[] {
  const text = lines.slice(1, -1);
  // `xargs` takes the lines as words, as it does those of `echo`.
  if (/\bxargs\b/u.test(command)) return [`echo ${text.join(' ')} | ${command}`];
  if (/\b(?:sh|bash|zsh|dash|ksh|ash|fish|eval|ssh)\b/u.test(command)) return lines;
  return [command, ...(isQuoted ? [] : (text.join('\n').match(/\$\([^)]*\)?|`[^`]*`?/gu) ?? []))];
}

/** `sh <<< LINE` is `echo LINE | sh`. */
function turnHereStrings(line: string): string {
  if (!line.includes('<<<')) return line;
  return line.replaceAll(/(?<![^;&|\n])([^;&|\n]*)<<<\s*('[^']*'|"[^"]*"|[^\s;&|]+)/gu, 'echo $2 | $1');
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
  /** The next quote after the position, and the last `)` before it; each is searched once. */
  #quote = -1;
  #closing = -1;

  read(line: string): void {
    for (let at = 0; at < line.length; at += 1) at = this.#readAt(line, at);
    this.#endCommand();
  }

  /** Consumes the text at the position, and returns the index of its last character. */
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
    const inner: string[] = [];
    let at = from;
    for (; at < line.length && line.charAt(at) !== '"'; at += 1) {
      const end = this.#endOfSubstitution(line, at);
      if (end !== -1) {
        inner.push(line.slice(line.charAt(at) === '`' ? at + 1 : at + 2, end));
        at = end;
        this.#add('$', true);
      } else if (line.charAt(at) === '\\' && at + 1 < line.length) {
        at += 1;
        this.#add(line.charAt(at));
      } else this.#add(line.charAt(at), line.charAt(at) === '$');
    }
    if (inner.length > 0) this.parts.push(...guessCommands(inner.join('\n')));
    return at;
  }

  /** The last character of a substitution that starts at the position; -1 if none does, or it is not closed. */
  #endOfSubstitution(line: string, at: number): number {
    if (line.charAt(at) === '`') return line.indexOf('`', at + 1);
    if (line.charAt(at) !== '$' || line.charAt(at + 1) !== '(') return -1;
    if (this.#quote < at) {
      const quote = line.indexOf('"', at);
      this.#quote = quote === -1 ? line.length : quote;
      this.#closing = at + line.slice(at, this.#quote).lastIndexOf(')');
    }
    return this.#closing > at ? this.#closing : -1;
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
