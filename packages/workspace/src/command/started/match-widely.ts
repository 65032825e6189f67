import type { CommandWord } from '../command-part.ts';
import type { PrefixMatch } from '../prefix.ts';
import { globalOptions, hasUnknownSubcommand, isSameSubcommand } from './program-grammar.ts';
import { programName } from './unwrap.ts';

/**
 * Compares a command with the words of a rule that denies or asks, broadly: the program matches by name in any
 * folder, and options may come between the words, which may be anywhere. `maybe` if an option may have used a word as
 * its value, or if a word is an alias, an abbreviation, or known only at run time.
 */
export function matchWidely(prefix: readonly string[], words: readonly CommandWord[]): PrefixMatch {
  const [program] = normalize(words.slice(0, 1));
  const [wantedProgram, ...wanted] = normalizeTexts(prefix);
  if (program === undefined || wantedProgram === undefined) return 'no';
  if (!program.isLiteral) return 'maybe';
  const name = toName(program.text);
  if (name !== toName(wantedProgram)) return 'no';
  const rest = normalize(words).slice(1);
  const wantedOptions = wanted.filter(isOption);
  const operands = matchOperands(
    name,
    wanted.filter((word) => !isOption(word)),
    rest,
  );
  return weaker(operands, matchOptions(wantedOptions, rest));
}

/** A text in which words of rules are looked for. */
export interface MentioningText {
  readonly plain: string;
}

/** Prepares a text for `mentions`, once for all rules. */
export function toMentioningText(text: string): MentioningText {
  return { plain: text.replaceAll(/["'\\]/gu, '').toLowerCase() };
}

/** Whether the words of a rule occur in sequence in any text, such as code or a nested command line. */
export function mentions(prefix: readonly string[], text: MentioningText): boolean {
  const { plain } = text;
  let from = 0;
  for (const word of normalizeTexts(prefix)) {
    const wanted = toName(word);
    const at = indexOfWord(plain, wanted, from);
    if (at === -1) return false;
    from = at + wanted.length;
  }
  return true;
}

function indexOfWord(text: string, word: string, from: number): number {
  for (let at = text.indexOf(word, from); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + word.length);
    if (!/[\w]/u.test(before) && !/[\w]/u.test(after)) return at;
  }
  return -1;
}

/** `git-push` is `git push`. */
function normalize(words: readonly CommandWord[]): readonly CommandWord[] {
  const [program, ...rest] = words;
  if (program === undefined || !program.isLiteral) return words;
  return [...normalizeTexts([program.text]).map((text) => ({ text, isLiteral: true })), ...rest];
}

function normalizeTexts(words: readonly string[]): readonly string[] {
  const [program = '', ...rest] = words;
  const name = toName(program);
  return name.startsWith('git-') ? ['git', name.slice(4), ...rest] : words;
}

/** Without folder and ending, and in lower case: some systems make no difference. */
function toName(program: string): string {
  // No path is longer; what is cut off is no part of a name that a rule can have.
  return programName(program.slice(-4096).replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com|ps1)$/u, '');
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-' && word !== '--';
}

function matchOperands(name: string, wanted: readonly string[], words: readonly CommandWord[]): PrefixMatch {
  const { valued, flags } = globalOptions(name);
  let isCertain = true;
  let index = 0;
  for (const [position, each] of wanted.entries()) {
    let isFound = false;
    for (; !isFound; index += 1) {
      const word = words[index];
      if (word === undefined) return 'no';
      if (!word.isLiteral) return 'maybe';
      const { text } = word;
      if (isOption(text)) {
        if (valued.has(text)) index += 1;
        else isCertain &&= flags.has(text) || text.includes('=') || hasAttachedValue(text, valued);
        continue;
      }
      // `cargo +nightly`.
      if (text === '--' || text === '-' || text.startsWith('+')) continue;
      const match = isSameSubcommand(name, each, text);
      if (match === 'yes') isFound = true;
      else if (match === 'maybe') {
        isFound = true;
        isCertain = false;
      } else if (isCertain) return position === 0 && hasUnknownSubcommand(name, text) ? 'maybe' : 'no';
    }
  }
  return isCertain ? 'yes' : 'maybe';
}

function hasAttachedValue(text: string, valued: ReadonlySet<string>): boolean {
  return !text.startsWith('--') && text.length > 2 && valued.has(text.slice(0, 2));
}

/** Options of a rule: each letter of `-rf` counts, and a long one also where it is cut short. */
function matchOptions(wanted: readonly string[], words: readonly CommandWord[]): PrefixMatch {
  const options = words.filter(({ text, isLiteral }) => !isLiteral || isOption(text));
  return wanted.map((option) => matchOption(option, options)).reduce(weaker, 'yes');
}

function matchOption(wanted: string, options: readonly CommandWord[]): PrefixMatch {
  if (options.some(({ text, isLiteral }) => isLiteral && isSameOption(wanted, text))) return 'yes';
  const isThere = (letter: string): boolean =>
    options.some(({ text }) => !isLong(text) && text.includes(letter, 1));
  const isEachThere = !isLong(wanted) && Array.from(wanted.slice(1)).every(isThere);
  if (isEachThere) return 'yes';
  // One that becomes known only when it runs, or is written in the other way.
  const isPerhaps = options.some(({ text, isLiteral }) => !isLiteral || isLong(text) !== isLong(wanted));
  return isPerhaps ? 'maybe' : 'no';
}

function isSameOption(wanted: string, text: string): boolean {
  if (text === wanted) return true;
  if (!isLong(wanted)) return false;
  const name = text.split('=', 1)[0] ?? '';
  return name.length > 2 && isLong(name) && (wanted.split('=', 1)[0] ?? '').startsWith(name);
}

function isLong(option: string): boolean {
  return option.startsWith('--');
}

function weaker(left: PrefixMatch, right: PrefixMatch): PrefixMatch {
  const order = ['no', 'maybe', 'yes'] as const;
  return order[Math.min(order.indexOf(left), order.indexOf(right))] ?? 'no';
}
