import type { CommandWord } from './command-part.ts';

/** Words that start shell syntax which is not parsed here. */
const reservedWords: ReadonlySet<string> = new Set(
  '! { } [[ ]] if then elif else fi for while until do done case esac in select function coproc'.split(' '),
);

/** Shell built-ins that run arguments as code, or change the meaning of later words. */
const evaluatingWords: ReadonlySet<string> = new Set(
  (
    'eval trap alias let declare typeset local readonly unset read getopts ' +
    'mapfile readarray enable fc bind complete compgen'
  ).split(' '),
);

/** Checks whether a word that is written like this, in place of a command, starts more than a simple command. */
export function isReservedWord(source: string): boolean {
  return reservedWords.has(source);
}

/** Whether shell syntax stands behind `time`, which is part of that syntax: `time ! a` starts `a`. */
export function isTimedSyntax(words: readonly CommandWord[]): boolean {
  if (words[0]?.text !== 'time') return false;
  const next = words.find(({ text }) => text !== 'time' && !text.startsWith('-'));
  return next !== undefined && isReservedWord(next.text);
}

/**
 * Whether a command runs some of its words as code: `eval`, and commands with a variable's name as argument, because
 * a shell runs commands in its subscript (`a[$(…)]`), quoted or not.
 */
export function isEvaluating(words: readonly CommandWord[]): boolean {
  const [command, ...rest] = words;
  if (command === undefined) return false;
  if (evaluatingWords.has(command.text)) return true;
  const takesName = ['printf', 'test', '[', 'wait'].includes(command.text);
  return takesName && rest.some((word) => /^-[vRp]/.test(word.text));
}
