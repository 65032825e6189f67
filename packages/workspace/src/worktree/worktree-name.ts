import { randomInt } from 'node:crypto';
import { WorkspaceError } from '../error.ts';

/** Characters of a worktree's name. */
const maxNameLength = 100;

/** A letter or digit first; nothing that git refuses in a branch, and nothing that leads out of a folder. */
const pattern = /^[\p{L}\p{N}](?:[\p{L}\p{N}_-]|\.(?!\.|$))*$/u;

/** @throws {WorkspaceError} `invalid-name` */
export function checkName(name: string): void {
  if (name.length <= maxNameLength && pattern.test(name) && !/\.lock$/iu.test(name)) return;
  throw new WorkspaceError(
    'invalid-name',
    `${JSON.stringify(name)} cannot be the name of a worktree: a name has letters, digits, "-", "_" and ".", begins with a ` +
      `letter or digit, does not end in "." or ".lock", and has at most ${String(maxNameLength)} characters`,
  );
}

/** Generates a name that is easy to type: four letters and two digits. */
export function generateName(): string {
  const letters = Array.from({ length: 4 }, (_, index) => pick(index % 2 === 0 ? consonants : vowels));
  return `${letters.join('')}-${String(randomInt(100)).padStart(2, '0')}`;
}

const consonants = 'bdfgklmnprstvz';
const vowels = 'aeiou';

function pick(letters: string): string {
  return letters.charAt(randomInt(letters.length));
}
