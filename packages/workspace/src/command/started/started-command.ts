import type { CommandWord } from '../command-part.ts';
import { isKnownHarmless } from '../covered/uncovered.ts';
import { isShellName } from '../shell-name.ts';
import { runsInlineCode } from './inline-code.ts';
import { startedPackage } from './started-package.ts';
import { programName, unwrapCommand } from './unwrap.ts';
import { withReadWords } from './xargs.ts';

/** A line that a command hands to a shell; `isKnown` is false when it is not shown, or not for a POSIX shell. */
export type StartedLine = { readonly isKnown: true; readonly line: string } | { readonly isKnown: false };

/** What `sh -c LINE` runs, or `bash -lc LINE`, by one of the system's shells; undefined for a command that is no such thing. */
export function startedLine(words: readonly CommandWord[]): StartedLine | undefined {
  const [shell, option, line] = words;
  if (shell === undefined || !(isShellName(programName(shell.text)) || programName(shell.text) === 'fish')) {
    return undefined;
  }
  if (words.every((word) => word.isLiteral && !/^-[a-z]*c/.test(word.text))) return undefined;
  const isPosix = /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash|dash)$/.test(shell.text);
  const isPlain = words.length === 3 && words.every((word) => word.isLiteral);
  if (!isPosix || !isPlain || !/^-l?c$/.test(option?.text ?? '')) return { isKnown: false };
  return { isKnown: true, line: line?.text ?? '' };
}

/** What a command starts in addition to its own program, as far as its words show. */
export interface Started {
  readonly commands: readonly StartedCommand[];
  /** Command lines that it passes to a POSIX shell. */
  readonly lines: readonly string[];
  /** Whether it runs code that is not visible as commands: in another language, or from its input. */
  readonly isOpaque: boolean;
  /** Whether none of its other words is ever run. */
  readonly isInert: boolean;
}

/** A command that another one starts. If an option is unknown, it is uncertain with which word the command starts. */
export interface StartedCommand {
  readonly words: readonly CommandWord[];
  readonly isCertain: boolean;
}

/** What a command starts, wide enough for rules that deny: `git push` in `sudo -n git push`, `find -exec git push ;`. */
export function startedBy(words: readonly CommandWord[]): Started {
  const [program] = words;
  if (program === undefined) return inert;
  const name = programName(program.text).replace(/\.(?:exe|cmd|bat)$/iu, '');
  if (isShellName(name)) return startedByShell(words);
  if (otherShells.has(name)) return { ...nothing, isOpaque: isOtherShellRunning(words) };
  if (runsInlineCode(name, words.slice(1))) return { ...nothing, isOpaque: true };
  switch (name) {
    case 'eval':
      return { ...nothing, isOpaque: true };
    case 'ssh':
      return startedBySsh(words);
    case 'find':
      return startedByFind(words);
    case 'watch':
      return startedLineOfWords(words);
    case 'script':
    case 'flock':
      return startedByOption(words);
    default:
      return startedByWrapper(words);
  }
}

const nothing: Started = { commands: [], lines: [], isOpaque: false, isInert: false };
const inert: Started = { ...nothing, isInert: true };
const opaque: Started = { ...nothing, isOpaque: true };

/** Shells with another grammar: their lines are not read. */
const otherShells: ReadonlySet<string> = new Set(
  'fish csh tcsh pwsh powershell cmd nu xonsh elvish su login at batch'.split(' '),
);

function isOtherShellRunning(words: readonly CommandWord[]): boolean {
  const [, first] = words;
  return (
    first === undefined ||
    words.some(({ text }) => /^(?:[-/]+[a-z]*[cek]|--?c\w*(?:=.*)?|--?e\w*|now)$/iu.test(text))
  );
}

function startedByShell(words: readonly CommandWord[]): Started {
  let hasLine = false;
  let index = 1;
  for (; index < words.length; index += 1) {
    const { text, isLiteral } = words[index] ?? { text: '', isLiteral: true };
    if (!isLiteral) return opaque;
    if (text === '--' || text === '-') {
      index += 1;
      break;
    }
    if (!/^[-+]/u.test(text)) break;
    if (/^--(?:version|help)$/u.test(text)) return inert;
    if (/^--(?:rcfile|init-file)$/u.test(text)) return opaque;
    if (/^-[a-zA-Z]*c/u.test(text)) hasLine = true;
    if (/^-[a-zA-Z]*s/u.test(text)) return opaque;
    if (/^[-+][a-zA-Z]*[oO]$/u.test(text)) index += 1;
  }
  const operand = words[index];
  // Without a file it reads its commands from where its input comes from.
  if (operand === undefined) return opaque;
  if (!hasLine) return nothing;
  return operand.isLiteral ? { ...inert, lines: [operand.text] } : opaque;
}

function startedBySsh(words: readonly CommandWord[]): Started {
  let index = 1;
  for (; index < words.length; index += 1) {
    const text = words[index]?.text ?? '';
    if (!text.startsWith('-')) break;
    if (/^-[BbcDEeFIiJLlmOopQRSWw]$/u.test(text)) index += 1;
  }
  const remote = words.slice(index + 1);
  if (remote.length === 0) return nothing;
  if (!remote.every(({ isLiteral }) => isLiteral)) return opaque;
  return { ...nothing, lines: [remote.map(({ text }) => text).join(' ')] };
}

function startedByFind(words: readonly CommandWord[]): Started {
  const commands = foundCommands(words).map((found) => ({
    words: found.map((word) => (word.text.includes('{}') ? { text: word.text, isLiteral: false } : word)),
    isCertain: true,
  }));
  return { ...inert, commands };
}

/** The commands behind `-exec` and the like, each up to its end. */
export function foundCommands(words: readonly CommandWord[]): readonly (readonly CommandWord[])[] {
  const commands: (readonly CommandWord[])[] = [];
  for (let index = 0; index < words.length; index += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/u.test(words[index]?.text ?? '')) continue;
    let end = index + 1;
    while (end < words.length && !/^[;+]$/u.test(words[end]?.text ?? '')) end += 1;
    commands.push(words.slice(index + 1, end));
    index = end;
  }
  return commands;
}

/** `watch` puts its words together to a line for a shell. */
function startedLineOfWords(words: readonly CommandWord[]): Started {
  const { inner = [], isCertain = false } = unwrapCommand(words) ?? {};
  if (!isCertain || !inner.every(({ isLiteral }) => isLiteral)) return nothing;
  return { ...inert, lines: [inner.map(({ text }) => text).join(' ')] };
}

/** `script -c LINE`, `flock FILE -c LINE`, `flock FILE COMMAND`. */
function startedByOption(words: readonly CommandWord[]): Started {
  const lines = words.flatMap(({ text }, index) => {
    const attached = /^--command=(.*)$/su.exec(text)?.[1];
    if (attached !== undefined) return [attached];
    return /^(?:-[a-zA-Z]*c|--command)$/u.test(text) ? [words[index + 1]?.text ?? ''] : [];
  });
  return lines.length > 0 ? { ...nothing, lines } : startedByWrapper(words);
}

function startedByWrapper(words: readonly CommandWord[]): Started {
  const unwrapped = unwrapCommand(words) ?? startedPackage(words);
  if (unwrapped === undefined) {
    return isInert(words) ? inert : { ...nothing, isOpaque: passesShellText(words) };
  }
  const { inner, isCertain } = unwrapped;
  const name = programName(words[0]?.text ?? '');
  const started = name === 'xargs' ? withReadWords(words, inner, [unknownWord]) : inner;
  const command = isPackageRunner(name) ? withoutVersion(started) : started;
  return { ...nothing, commands: [{ words: command, isCertain }], isInert: isCertain };
}

/** What a program reads while it runs. */
const unknownWord: CommandWord = { text: '$@', isLiteral: false };

/** `$(…)` and backticks that reach a program as text are there for a shell that it starts. */
function passesShellText(words: readonly CommandWord[]): boolean {
  return words.some(({ text, isLiteral }) => isLiteral && /\$\(|`|\$\{/u.test(text));
}

function isPackageRunner(name: string): boolean {
  return ['npx', 'pnpx', 'bunx', 'uvx', 'npm', 'pnpm', 'yarn', 'bun', 'pipx'].includes(name);
}

/** `npx rimraf@3` runs `rimraf`. */
function withoutVersion(words: readonly CommandWord[]): readonly CommandWord[] {
  const [first, ...rest] = words;
  return first === undefined ? [] : [{ ...first, text: first.text.replace(/(?<=.)@[^/]*$/u, '') }, ...rest];
}

/** Whether a program is known to run none of its words. */
function isInert(words: readonly CommandWord[]): boolean {
  const [program, ...rest] = words;
  if (program === undefined) return true;
  const name = programName(program.text);
  return inertPrograms.has(name) || isKnownHarmless([{ ...program, text: name }, ...rest]);
}

/** Programs that change files, or show something, and start nothing, with any arguments. */
const inertPrograms: ReadonlySet<string> = new Set(
  (
    'echo printf true false : test [ cp mv rm rmdir mkdir touch ln chmod chown chgrp cat head tail ls wc cut tr cmp comm paste ' +
    'join fold fmt nl rev tac shuf seq sleep date kill ps uniq grep egrep fgrep stat du df basename dirname realpath readlink ' +
    'which type whereis whoami id uname hostname pwd cd pushd popd dirs tee export unset printenv jq md5sum sha1sum sha256sum ' +
    'cksum hexdump od xxd strings unzip gzip gunzip bzip2 xz diff patch mktemp yes expr factor nproc free uptime lsof'
  ).split(' '),
);
