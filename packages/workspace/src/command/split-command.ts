import type { CommandPart } from './command-part.ts';
import { Unclear } from './cursor.ts';
import { parseShellLine } from './shell-parser.ts';

/**
 * Takes a POSIX shell line apart into all the commands that it runs: members of pipelines and lists, of groups
 * and subshells, and those in substitutions. Undefined when that cannot be said for certain: such a line is
 * never to be allowed because of what its parts seem to be.
 */
export function splitCommand(line: string): readonly CommandPart[] | undefined {
  try {
    return parseShellLine(joinContinued(line));
  } catch (error) {
    if (error instanceof Unclear) return undefined;
    throw error;
  }
}

const mostCharacters = 64 * 1024;
/** No two shells agree on them. */
const controlCharacter = /[\0-\x08\x0b-\x1f\x7f]/;

/** Joins lines that end with a backslash, as a shell does before anything else. */
function joinContinued(line: string): string {
  if (line.length > mostCharacters) throw new Unclear('a very long line');
  if (controlCharacter.test(line)) throw new Unclear('a control character');
  if (!line.includes('\\\n')) return line;
  // There the backslash may be quoted, or in a comment.
  if (/['#]|\\\\/.test(line)) throw new Unclear('a continued line with quotes');
  return line.replaceAll('\\\n', '');
}
