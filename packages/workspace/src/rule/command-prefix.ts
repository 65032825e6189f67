import type { CommandWord } from '../command/command-part.ts';
import { type Command, literalWords } from '../command/command.ts';
import type { Listing } from '../command/covered/listing.ts';
import { programListings } from '../command/covered/program-listings.ts';
import { uncoveredWord } from '../command/covered/uncovered.ts';
import { plainWords } from '../command/prefix.ts';

/**
 * The first words of a command that say what it does, so that further words need not be asked about: `git status`,
 * `npm run build`. Undefined where they do not: an unknown program, a subcommand that destroys something or fetches code, an
 * option that is not known to be harmless, or anything but one plain command.
 */
export function prefixOf(command: Command): string | undefined {
  const texts = typeof command === 'string' ? simpleWords(command) : command;
  const words = literalWords(texts ?? []);
  const naming = namingWords(words);
  if (naming === undefined || !naming.slice(1).every(isName)) return undefined;
  return uncoveredWord(naming, words) === undefined ? naming.join(' ') : undefined;
}

/** The words of one plain command, without redirections to or from anywhere. */
function simpleWords(line: string): readonly string[] | undefined {
  return /[|&;<>()$`\\\n#]/u.test(line) ? undefined : plainWords(line);
}

/** The program, its subcommands, and the target or script to run. */
function namingWords(words: readonly CommandWord[]): readonly string[] | undefined {
  const texts = words.map(({ text }) => text);
  let listing = programListings.get(texts[0] ?? '');
  let count = 1;
  while (listing?.subcommands !== undefined) {
    listing = nextListing(listing, texts[count] ?? '');
    count += 1;
  }
  if (listing === undefined || listing.isNeverOffered) return undefined;
  const end = count + listing.namingOperands;
  const isSpecific = end > 1 && texts.length >= end;
  return isSpecific && !texts.slice(count, end).some((text) => destroying.has(text))
    ? texts.slice(0, end)
    : undefined;
}

function nextListing({ subcommands, otherSubcommand }: Listing, word: string): Listing | undefined {
  return subcommands?.get(word) ?? (isName(word) ? otherSubcommand : undefined);
}

/** Targets that remove or install something. */
const destroying: ReadonlySet<string> = new Set(
  'clean distclean install uninstall publish deploy release'.split(' '),
);

/** No option, no path, no variable. */
function isName(word: string): boolean {
  return /^[A-Za-z][\w:.@-]*$/u.test(word);
}
