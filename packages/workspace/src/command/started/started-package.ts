import type { CommandWord } from '../command-part.ts';
import { type Unwrapped, programName } from './unwrap.ts';

/** The command of a package, or in the surroundings of one, that a package manager starts: `npm exec rimraf x`, `uv run x`. */
export function startedPackage(words: readonly CommandWord[]): Unwrapped | undefined {
  const [program, ...rest] = words;
  const subcommands = starting.get(programName(program?.text ?? ''));
  if (subcommands === undefined) return undefined;
  const at = rest.findIndex(({ text }) => !text.startsWith('-'));
  const subcommand = rest[at];
  if (subcommand === undefined || !subcommands.has(subcommand.text)) return undefined;
  const behind = rest.slice(at + 1);
  const start = behind.findIndex(({ text }) => !text.startsWith('-'));
  const before = start === -1 ? behind : behind.slice(0, start);
  const isCertain = [...rest.slice(0, at), ...before].every(({ text }) =>
    /^(?:--|-y|--yes|-q|--quiet)$/u.test(text),
  );
  return { inner: start === -1 ? [] : behind.slice(start), isCertain };
}

function subcommandsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

const starting: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['npm', subcommandsOf('exec x')],
  ['pnpm', subcommandsOf('exec dlx')],
  ['yarn', subcommandsOf('exec dlx')],
  ['bun', subcommandsOf('x')],
  ['pipx', subcommandsOf('run')],
  ['uv', subcommandsOf('run')],
  ['poetry', subcommandsOf('run')],
  ['pipenv', subcommandsOf('run')],
  ['hatch', subcommandsOf('run')],
  ['rye', subcommandsOf('run')],
  ['bundle', subcommandsOf('exec')],
  ['mise', subcommandsOf('exec x')],
  ['asdf', subcommandsOf('exec')],
  ['doppler', subcommandsOf('run')],
  ['op', subcommandsOf('run')],
]);
