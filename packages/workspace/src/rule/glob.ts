import { matchesSequence, type Wanted } from '../pattern/match-sequence.ts';

/** A pattern of file names below some folder. Matching takes no longer than both lengths multiplied. */
export interface Glob {
  /** @param path The names from the folder on. */
  matches(path: readonly string[]): boolean;
  /** Whether the path, or a folder above it, matches. */
  matchesAbove(path: readonly string[]): boolean;
}

/** An invalid pattern; the message says why. */
export class GlobFault extends Error {
  override readonly name = 'GlobFault';
}

/**
 * Reads a pattern: `*` and `?` within a name, `**` over folders, `[ab]`, `[a-z]`, `[!a]`, `{a,b}`. Hidden names are
 * names like others.
 *
 * @throws {GlobFault} It cannot be read.
 */
export function parseGlob(pattern: string): Glob {
  if (pattern.length > mostCharacters) {
    throw new GlobFault(`a pattern may have ${String(mostCharacters)} characters`);
  }
  const alternatives = expandBraces(pattern).map(parseAlternative);
  return {
    matches: (path) => alternatives.some((steps) => matchesSequence(path, endsInside(steps))),
    matchesAbove: (path) => alternatives.some((steps) => matchesSequence(path, [...steps, 'any'])),
  };
}

/** What is wrong with a pattern of paths. */
export function globFault(pattern: string): string | undefined {
  try {
    parseGlob(pattern.slice(startOfGlob(pattern)));
    return undefined;
  } catch (error) {
    if (error instanceof GlobFault) return error.message;
    throw error;
  }
}

/** Start of the first name that is not plain; the end of the text if all are. */
export function startOfGlob(text: string): number {
  const special = text.search(/[*?[{]/u);
  return special === -1 ? text.length : text.lastIndexOf('/', special) + 1;
}

/** Characters of a pattern. */
const mostCharacters = 1024;

/** Alternatives that the braces of a pattern expand to. */
const mostAlternatives = 64;

/** What is in a folder is not the folder. */
function endsInside(steps: readonly Wanted<string>[]): readonly Wanted<string>[] {
  return steps.at(-1) === 'any' ? [...steps, () => true] : steps;
}

function parseAlternative(pattern: string): readonly Wanted<string>[] {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new GlobFault('".." is not allowed after a pattern');
  return names.map((name) => (name === '**' ? 'any' : toName(name)));
}

function toName(pattern: string): (name: string) => boolean {
  const characters = parseName(pattern);
  return (name) => matchesSequence([...name], characters);
}

function parseName(name: string): readonly Wanted<string>[] {
  const characters = [...name];
  const tokens: Wanted<string>[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index];
    if (character === '*') tokens.push('any');
    else if (character === '?') tokens.push(() => true);
    else if (character === '[') {
      const end = endOfSet(characters, index);
      tokens.push(parseSet(characters.slice(index + 1, end)));
      index = end;
    } else tokens.push((other) => other === character);
  }
  return tokens;
}

/** A `]` directly behind `[`, `[!` or `[^` is a member. */
function endOfSet(characters: readonly string[], start: number): number {
  const first = /^[!^]$/u.test(characters[start + 1] ?? '') ? start + 2 : start + 1;
  const end = characters.indexOf(']', first + 1);
  const slash = characters.indexOf('/', start);
  if (end === -1 || (slash !== -1 && slash < end)) throw new GlobFault('a "[" is not closed');
  return end;
}

function parseSet(inside: readonly string[]): (character: string) => boolean {
  const isNegated = /^[!^]$/u.test(inside[0] ?? '') && inside.length > 1;
  const members = isNegated ? inside.slice(1) : inside;
  const ranges: (readonly [first: string, last: string])[] = [];
  for (let index = 0; index < members.length; index += 1) {
    const first = members[index] ?? '';
    const last = members[index + 1] === '-' ? members[index + 2] : undefined;
    ranges.push([first, last ?? first]);
    if (last !== undefined) index += 2;
  }
  return (character) => ranges.some((range) => isInRange(character, range)) !== isNegated;
}

function isInRange(character: string, [first, last]: readonly [string, string]): boolean {
  const point = character.codePointAt(0) ?? 0;
  return (first.codePointAt(0) ?? 0) <= point && point <= (last.codePointAt(0) ?? 0);
}

/** The patterns that `{a,b}` expands to. */
function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const group = findBraces(text);
    if (group === undefined) done.push(text);
    else {
      const { start, end, choices } = group;
      for (const choice of choices) open.push(text.slice(0, start) + choice + text.slice(end));
    }
    if (done.length + open.length > mostAlternatives) {
      throw new GlobFault(`braces may expand to ${String(mostAlternatives)} patterns`);
    }
  }
  return done;
}

interface BraceGroup {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly string[];
}

/** The first group outside of a set. */
function findBraces(text: string): BraceGroup | undefined {
  let start = -1;
  let depth = 0;
  const choices: string[] = [];
  let choiceStart = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '[') index = endOfSet(text.split(''), index);
    else if (character === '{') {
      depth += 1;
      if (depth === 1) {
        start = index;
        choiceStart = index + 1;
      }
    } else if (depth === 1 && (character === ',' || character === '}')) {
      choices.push(text.slice(choiceStart, index));
      choiceStart = index + 1;
      if (character === ',') continue;
      if (choices.length === 1) throw new GlobFault('braces need a "," between choices');
      return { start, end: index + 1, choices };
    } else if (character === '}' && depth > 1) depth -= 1;
  }
  if (depth > 0) throw new GlobFault('a "{" is not closed');
  return undefined;
}
