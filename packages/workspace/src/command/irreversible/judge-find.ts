import type { CommandWord } from '../command-part.ts';
import { foundCommands } from '../started/started-command.ts';
import { programName } from '../started/unwrap.ts';
import { isPreciousPath } from './precious-path.ts';

/** Whether `find` with these words comes by all of the system, or of a home directory. */
export function judgeFind(words: readonly CommandWord[], directory: string | undefined): boolean {
  return !isNarrow(words) && placesOf(words).some((place) => isPreciousPath(place, directory));
}

/** Judges `find … -exec COMMAND` by the paths that the command receives: the starting points, and all below them. */
export function judgeFound(
  words: readonly CommandWord[],
  directory: string | undefined,
  judge: (inner: readonly CommandWord[]) => string | undefined,
): string | undefined {
  const [program, ...rest] = words;
  if (programName(program?.text ?? '') !== 'find' || !judgeFind(rest, directory)) return undefined;
  const places = placesOf(rest).map((text) => ({ text, isLiteral: true }));
  for (const found of foundCommands(rest)) {
    // However often it says `{}`, the places are the same.
    const at = found.findIndex(({ text }) => text === '{}');
    const given = at === -1 ? found : [...found.slice(0, at), recursive, ...places, ...found.slice(at + 1)];
    const reason = judge(given);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** It comes by each file, as a command with this option does by itself. */
const recursive: CommandWord = { text: '-R', isLiteral: true };

function placesOf(words: readonly CommandWord[]): readonly string[] {
  const texts = words.map(({ text }) => text);
  const first = texts.findIndex((text) => /^[-(!\\]/u.test(text) && !/^-[HLPDO]/u.test(text));
  return texts.slice(0, first === -1 ? texts.length : first).filter((text) => !text.startsWith('-'));
}

/** Whether a test selects only some of the files. A negated test, or one of several alternatives, selects most. */
function isNarrow(words: readonly CommandWord[]): boolean {
  const texts = words.map(({ text }) => text);
  if (texts.some((text) => text === '-o' || text === '-or')) return false;
  return texts.some((text, index) => {
    const before = texts[index - 1];
    return (
      picking.test(text) && before !== '!' && before !== '-not' && !/^\*+$/u.test(texts[index + 1] ?? '')
    );
  });
}

const picking =
  /^-(?:i?name|i?path|i?regex|i?wholename|newer\w*|[acm](?:time|min)|size|empty|user|group|uid|gid|perm|inum|links|lname)$/u;
