import { CliError } from './cli-error.ts';

/** A timer can wait no longer than this. */
const maxSeconds = 2_147_483;

/** Reads a number of seconds, as milliseconds. */
export function parseSeconds(flag: string, typed: string): number {
  const seconds = /^\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN;
  if (!(seconds > 0 && seconds <= maxSeconds)) {
    throw new CliError(
      'usage',
      `${flag} ${typed}: expected a number of seconds above 0 and up to ${String(maxSeconds)}`,
    );
  }
  return Math.ceil(seconds * 1000);
}

/** Reads one of several words. */
export function parseWord<Word extends string>(flag: string, typed: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === typed);
  if (word === undefined) throw new CliError('usage', `${flag} ${typed}: expected ${words.join(', ')}`);
  return word;
}
