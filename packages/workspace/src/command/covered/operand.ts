import type { CommandWord } from '../command-part.ts';

/** Checks a word that is not an option. @param index Its index among those words. */
export type OperandCheck = (word: CommandWord, index: number) => boolean;

/** Text, a pattern or a file that the program only shows: any word. */
export const anyWord: OperandCheck = () => true;

/** A plain name: no path, no setting, no address. */
export const plainName: OperandCheck = ({ text, isLiteral }) =>
  isLiteral && /^[A-Za-z0-9_][\w.:@-]*$/u.test(text);

/** A file below the current folder, or another plain argument: no absolute path, no `..`, no setting, no address. */
export const insideWord: OperandCheck = ({ text, isLiteral }) =>
  isInside(text) && (isLiteral || !/[$`<>~"'\\]/u.test(text));

/** Accepts only these words. */
export function oneOf(words: string): OperandCheck {
  const known = new Set(words.split(' '));
  return ({ text, isLiteral }) => isLiteral && known.has(text);
}

/** The first word by one check, the others by another. */
export function firstThen(first: OperandCheck, others: OperandCheck): OperandCheck {
  return (word, index) => (index === 0 ? first(word, index) : others(word, index));
}

/** A revision or a path of a git repository; a remote, an address and a pathspec with magic are none. */
export const revisionWord: OperandCheck = ({ text, isLiteral }) =>
  !text.includes('::') && (isLiteral || !/[$`]/u.test(text));

/** Accepts a branch, a tag, or two of them with a colon; rejects forms that force or delete. */
export const refWord: OperandCheck = ({ text, isLiteral }) =>
  isLiteral && /^[A-Za-z0-9_][\w./@-]*(?::[A-Za-z0-9_][\w./@-]*)?$/u.test(text);

function isInside(text: string): boolean {
  if (/^[/~@+!-]|[=]|:\/\/|^[A-Za-z]:[\\/]/u.test(text)) return false;
  return !text.split(/[\\/]/u).includes('..');
}
