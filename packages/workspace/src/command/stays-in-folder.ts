import type { CommandPart, CommandWord } from './command-part.ts';
import { type Command, partsOf } from './command.ts';
import { startedBy } from './started/started-command.ts';

/**
 * Whether all of a command surely runs in the folder where it starts. It may not, as soon as one of its words can change the
 * folder, or hides what runs.
 */
export function staysInFolder(command: Command): boolean {
  return partsStay(partsOf(command), 0);
}

/** Deeper nesting is not looked into. */
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

/** Options by which programs go to another folder before they do anything, or take it for theirs. */
const movingOption =
  /^-(?:[A-Za-z]*C|-?(?:chdir|cwd|dir|directory|git-dir|manifest-path|prefix|project|project-dir|project-directory|root|rootdir|work-tree|working-directory)(?:=|$))/u;
