import type { CommandWord } from './command-part.ts';

/** A line that a command hands to a shell; `isKnown` is false when it is not shown, or not for a POSIX shell. */
export type StartedLine = { readonly isKnown: true; readonly line: string } | { readonly isKnown: false };

/** What `sh -c LINE` runs, or `bash -lc LINE`; undefined for a command that is no such thing. */
export function startedLine(words: readonly CommandWord[]): StartedLine | undefined {
  const [shell, option, line] = words;
  if (shell === undefined || !shells.has(baseName(shell.text))) return undefined;
  if (words.every((word) => word.isLiteral && !/^-[a-z]*c/.test(word.text))) return undefined;
  const isPosix = /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash|dash)$/.test(shell.text);
  const isPlain = words.length === 3 && words.every((word) => word.isLiteral);
  if (!isPosix || !isPlain || !/^-l?c$/.test(option?.text ?? '')) return { isKnown: false };
  return { isKnown: true, line: line?.text ?? '' };
}

/**
 * The commands that a command may start, as far as its words show them: `git push` in `sudo -n git push`, and in
 * `/usr/bin/git push`. Which of the words the command begins with is for the starter to know: each may be it.
 * Undefined when they are too many to look at.
 */
export function startedCommands(
  words: readonly CommandWord[],
): readonly (readonly CommandWord[])[] | undefined {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const name = baseName(first.text);
  const byPath = name === first.text ? [] : [[{ ...first, text: name }, ...rest]];
  if (!starters.has(name)) return byPath;
  if (rest.length > mostStarterWords) return undefined;
  return [...byPath, ...rest.map((word, index) => [withoutPath(word), ...rest.slice(index + 1)])];
}

const mostStarterWords = 200;

const shells: ReadonlySet<string> = new Set('sh bash dash zsh ksh ash fish'.split(' '));

/** Programs that start the command which their further words are. */
const starters: ReadonlySet<string> = new Set(
  (
    'sudo doas su env exec command builtin nohup nice ionice time timeout xargs parallel find watch setsid ' +
    'stdbuf strace busybox'
  ).split(' '),
);

function withoutPath(word: CommandWord): CommandWord {
  return { ...word, text: baseName(word.text) };
}

function baseName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}
