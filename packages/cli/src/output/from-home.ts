import { homedir } from 'node:os';
import path from 'node:path';

/** A path as a user writes it: with `~` for the home folder. */
export function fromHome(file: string, home: string = homedir()): string {
  const below = path.relative(home, file);
  if (below === '') return '~';
  return below.startsWith('..') || path.isAbsolute(below) ? file : path.join('~', below);
}
