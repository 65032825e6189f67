import type { CommandWord } from './command-part.ts';

/** Words with which the shell's grammar goes on in a way that is not parsed here. */
const reservedWords: ReadonlySet<string> = new Set(
  '! { } [[ ]] if then elif else fi for while until do done case esac in select function coproc'.split(' '),
);

/** Commands of the shell itself which take arguments as code, or change what later words mean. */
const evaluatingWords: ReadonlySet<string> = new Set(
  (
    'eval trap alias let declare typeset local readonly unset read getopts ' +
    'mapfile readarray enable fc bind complete compgen'
  ).split(' '),
);

/** Whether a word that is written like this, in the place of a command, starts more than a simple command. */
export function isReservedWord(source: string): boolean {
  return reservedWords.has(source);
}

/**
 * Whether a command takes some of its words as code: `eval`, and those that take a variable's name, for in its
 * subscript (`a[$(…)]`) a shell runs commands, quoted or not.
 */
export function isEvaluating(words: readonly CommandWord[]): boolean {
  const [command, ...rest] = words;
  if (command === undefined) return false;
  if (evaluatingWords.has(command.text)) return true;
  const takesName = ['printf', 'test', '[', 'wait'].includes(command.text);
  return takesName && rest.some((word) => /^-[vRp]/.test(word.text));
}
