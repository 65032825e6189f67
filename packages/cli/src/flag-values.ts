import type { SandboxChoice } from '@parley/host';
import { CliError } from './cli-error.ts';

/** Largest duration of a flag: longer timers are not possible. */
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

/** The option `--sandbox` of each command that starts an agent. */
export const sandboxOption = [
  '--sandbox <off|workspace|read-only>',
  'restrict what the agent can write and connect to (default: the configured mode, else off)',
] as const;

/** Reads the mode of the sandbox. */
export function parseSandbox(typed: string): SandboxChoice {
  return parseWord('--sandbox', typed, ['off', 'workspace', 'read-only']);
}

/** Reads a whole number above 0. */
export function parseCount(flag: string, typed: string): number {
  const count = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
  if (!(count > 0 && Number.isSafeInteger(count))) {
    throw new CliError('usage', `${flag} ${typed}: expected a whole number above 0`);
  }
  return count;
}

const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Reads how old something is, as milliseconds: `90m`, `12h`, `30d`, `4w`. */
export function parseAge(flag: string, typed: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(typed) ?? [];
  const each = unitMs[unit];
  if (each === undefined) {
    throw new CliError('usage', `${flag} ${typed}: expected a number and s, m, h, d or w, such as 30d`);
  }
  return Number(amount) * each;
}

/** Adds a value of a flag that can be given several times. */
export function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}
