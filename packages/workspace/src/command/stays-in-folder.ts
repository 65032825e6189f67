import type { CommandPart, CommandWord } from './command-part.ts';
import { type Command, partsOf } from './command.ts';
import { startedBy } from './started/started-command.ts';

/**
 * Whether a command certainly runs in the folder where it starts. Uncertain if any word can change the folder, or
 * hides what is run.
 */
export function staysInFolder(command: Command): boolean {
  return partsStay(partsOf(command), 0);
}

/** Nesting depth of commands that are checked. */
const mostDepth = 8;

function partsStay(parts: readonly CommandPart[] | undefined, depth: number): boolean {
  return parts?.every(({ words }) => wordsStay(words, depth)) ?? false;
}

function wordsStay(words: readonly CommandWord[], depth: number): boolean {
  if (depth > mostDepth || words[0]?.isLiteral === false) return false;
  if (words.some(({ text }) => movingWords.has(text) || movingOption.test(text))) return false;
  const { commands, lines, isOpaque } = startedBy(words);
  return (
    !isOpaque &&
    commands.every((started) => wordsStay(started.words, depth + 1)) &&
    lines.every((line) => partsStay(partsOf(line), depth + 1))
  );
}

const movingWords: ReadonlySet<string> = new Set('cd chdir pushd popd -execdir -okdir'.split(' '));

/** Options with which programs change to another folder first, or use it as theirs. */
const movingOption =
  /^-(?:[A-Za-z]*C|-?(?:chdir|cwd|dir|directory|git-dir|manifest-path|prefix|project|project-dir|project-directory|root|rootdir|work-tree|working-directory)(?:=|$))/u;
