import type { CommandPart } from './command-part.ts';
import { mostCharacters } from './command-size.ts';
import { Unclear } from './cursor.ts';
import { parseShellLine } from './shell-parser.ts';

/**
 * Splits a POSIX shell line into all commands that it runs: members of pipelines and lists, of groups and subshells,
 * and those in substitutions. Undefined if the line cannot be parsed with certainty: such a line must never be
 * allowed because of its apparent parts.
 */
export function splitCommand(line: string): readonly CommandPart[] | undefined {
  if (line.length < longLine || line.length > mostCharacters) return split(line);
  const known = recent.get(line);
  if (known !== undefined) return known.parts;
  const parts = split(line);
  recent.set(line, { parts });
  const [oldest] = recent.keys();
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  return parts;
}

/** Cached results for the last long lines: several rules check the same line. */
const recent = new Map<string, { readonly parts: readonly CommandPart[] | undefined }>();
/** Cached results. */
const mostRecent = 16;
const longLine = 1024;

function split(line: string): readonly CommandPart[] | undefined {
  if (line.length > mostCharacters) return undefined;
  try {
    return parseShellLine(joinContinued(line));
  } catch (error) {
    if (error instanceof Unclear) return undefined;
    throw error;
  }
}

/** Each shell interprets them differently. */
const controlCharacter = /[\0-\x08\x0b-\x1f\x7f]/;

/** Joins lines that end with a backslash, like a shell does first. */
function joinContinued(line: string): string {
  if (controlCharacter.test(line)) throw new Unclear('a control character');
  if (!line.includes('\\\n')) return line;
  // There the backslash may be quoted, or in a comment.
  if (/['#]|\\\\/.test(line)) throw new Unclear('a continued line with quotes');
  return line.replaceAll('\\\n', '');
}
