import type { CommandPart, CommandWord } from '../command-part.ts';
import { mostCharacters } from '../command-size.ts';
import { splitCommand } from '../split-command.ts';
import { startedBy } from '../started/started-command.ts';
import { programName, unwrap } from '../started/unwrap.ts';
import { readCharacters, withReadWords } from '../started/xargs.ts';
import { judgeDisk, judgeWrite } from './disk-command.ts';
import { Effort, TooMuchWork } from './effort.ts';
import { isForkBomb } from './fork-bomb.ts';
import { judgeFind, judgeFound } from './judge-find.ts';
import { guessCommands } from './loose-commands.ts';
import { directoryAfter, isPreciousPath } from './precious-path.ts';
import { removesDrive } from './removes-drive.ts';
import { resolveEchoes } from './resolve-values.ts';
import { stopsMachine } from './stops-machine.ts';

/**
 * Explains why a shell line must never run, even if it is allowed: it does irreversible damage to the system or to a
 * home directory. Undefined for other lines. It recognizes such commands in the line itself, through wrappers, nested
 * shells and quotes, but not in scripts or downloads. A line that is too long to be parsed must not run either.
 */
export function irreversibleReason(line: string): string | undefined {
  if (line.length > mostCharacters) return tooLong;
  try {
    return judgeLine(line, { depth: 0, effort: new Effort() });
  } catch (error) {
    if (error instanceof TooMuchWork) return tooLong;
    throw error;
  }
}

const tooLong =
  'It is too long, or starts too much within itself, to be judged (put it into a script, or make it several commands)';

/** Nesting depth of commands that are checked. */
const mostDepth = 8;

function judgeLine(line: string, { depth, effort }: Nesting): string | undefined {
  if (depth > mostDepth || !effort.begin(line, depth)) return undefined;
  if (isForkBomb(line)) return 'It starts processes without end';
  // `$1` is one of the line's own words then.
  const setsWords = /\bset[ \t]+--[ \t]/u.test(line);
  const certain = setsWords ? undefined : splitCommand(line);
  const parts = certain === undefined ? guessCommands(line) : putVariables(certain, effort);
  let directory: string | undefined;
  for (const part of parts) {
    const [program, target] = part.words;
    const isMoving = program?.text === 'cd' || program?.text === 'pushd';
    if (isMoving) {
      effort.spend(directory?.length ?? 0);
      directory = directoryAfter(target?.text ?? '~', directory);
    }
    const reason =
      part.writes.map(({ text }) => judgeWrite(text)).find(isText) ??
      judgeWords(part.words, { directory, depth, effort });
    if (reason !== undefined) return reason;
  }
  return judgePiped(parts, { depth, effort });
}

/** Puts variables in their places that the same line sets to a plain text. */
function putVariables(parts: readonly CommandPart[], effort: Effort): readonly CommandPart[] {
  const values = new Map<string, string>();
  const resolve = (text: string): string =>
    resolveEchoes(text).replaceAll(/\$(?:\{(\w+)\}|(\w+))/gu, (whole, braced?: string, plain?: string) => {
      const value = values.get(braced ?? plain ?? '') ?? whole;
      effort.spend(value.length);
      return value;
    });
  for (const { assignments, words } of parts) {
    for (const { name, value } of assignments) values.set(name, resolve(value.text));
    const isSetting = /^(?:export|readonly|typeset)$/u.test(words[0]?.text ?? '');
    for (const { text } of isSetting ? words : []) {
      const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/su.exec(text) ?? [];
      if (name !== undefined) values.set(name, resolve(value));
    }
  }
  const known = (word: CommandWord): CommandWord =>
    word.isLiteral ? word : { ...word, text: resolve(word.text) };
  return parts.map((part) => ({ ...part, words: part.words.map(known), writes: part.writes.map(known) }));
}

/** The nesting depth, and the remaining effort for the whole line. */
interface Nesting {
  readonly depth: number;
  readonly effort: Effort;
}

interface Surroundings extends Nesting {
  readonly directory: string | undefined;
}

function deeperIn({ depth, effort }: Nesting): Nesting {
  return { depth: depth + 1, effort };
}

function judgeWords(words: readonly CommandWord[], around: Surroundings): string | undefined {
  around.effort.spend(weightOf(words) + weightOfPlaces(words, around.directory));
  const own = judgeProgram(words, around) ?? judgeNested(words, around) ?? judgeStarted(words, around);
  if (own !== undefined) return own;
  const inner = unwrap(words);
  if (inner === undefined || around.depth >= mostDepth) return undefined;
  const directory = startDirectory(words) ?? around.directory;
  const deeper = { directory, ...deeperIn(around) };
  return judgeWords(inner, deeper) ?? judgeSplitString(words, deeper);
}

/** The effort for judging words; one with braces may expand to many. */
function weightOf(words: readonly CommandWord[]): number {
  return words.reduce((sum, { text }) => {
    const names = /\{[^{},]*,/u.test(text) ? Math.max(2048, text.length * 32) : 4;
    return sum + text.length + names;
  }, 0);
}

/** Each word may be a place below the directory. */
function weightOfPlaces(words: readonly CommandWord[], directory = ''): number {
  return directory.length > 256 ? words.length * directory.length : 0;
}

/** What a program starts that is no wrapper: `find … -exec COMMAND`, `ssh HOST LINE`, `npm exec COMMAND`. */
function judgeStarted(words: readonly CommandWord[], around: Surroundings): string | undefined {
  if (around.depth >= mostDepth) return undefined;
  const deeper = { ...around, ...deeperIn(around) };
  const found = judgeFound(words, around.directory, (inner) => judgeWords(inner, deeper));
  if (found !== undefined) return found;
  // What wrappers and shells start is judged elsewhere, once.
  const name = programName(words[0]?.text ?? '');
  if (shells.has(name) || unwrap(words) !== undefined) return undefined;
  const { commands, lines } = startedBy(words);
  return (
    firstReason(lines, (line) => judgeLine(line, deeper)) ??
    firstReason(commands, ({ words: inner }) => judgeWords(inner, deeper))
  );
}

/** `env -C DIR`, `sudo -D DIR`. */
function startDirectory(words: readonly CommandWord[]): string | undefined {
  const at = words.findIndex(({ text }) => /^(?:-C|-D|--chdir)$/u.test(text));
  const target = at === -1 ? undefined : words[at + 1]?.text;
  return target === undefined ? undefined : directoryAfter(target);
}

/** `env -S 'LINE'`. */
function judgeSplitString(words: readonly CommandWord[], nesting: Nesting): string | undefined {
  if (programName(words[0]?.text ?? '') !== 'env') return undefined;
  const at = words.findIndex(({ text }) => /^(?:-\w*S|--split-string)/u.test(text));
  const line = /^(?:-\w*S|--split-string=?)(.+)$/u.exec(words[at]?.text ?? '')?.[1] ?? words[at + 1]?.text;
  return at === -1 || line === undefined ? undefined : judgeLine(line, nesting);
}

function judgeProgram(words: readonly CommandWord[], { directory }: Surroundings): string | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  const name = programName(program.text);
  const texts = rest.map(({ text }) => text);
  const named = texts.filter((text) => !text.startsWith('-'));
  const hasPrecious = named.some((text) => isPreciousPath(text, directory));
  const isUnprotected = texts.includes('--no-preserve-root');
  switch (name) {
    case 'mv':
      return judgeMove(rest, directory) ?? judgeDisk(name, rest);
    case 'shred':
    case 'truncate':
      return hasPrecious ? removesPrecious : judgeDisk(name, rest);
    case 'tar':
      return hasPrecious && texts.includes('--remove-files') ? removesPrecious : undefined;
    case 'rm':
    case 'srm':
      return hasPrecious || isUnprotected || removesDrive(name, texts) ? removesPrecious : undefined;
    case 'chmod':
    case 'chown':
    case 'chgrp':
    case 'chattr':
    case 'setfacl': {
      const isRecursive = texts.some((text) => /^-[a-zA-Z]*R/u.test(text) || text.startsWith('--rec'));
      return isRecursive && (hasPrecious || isUnprotected) ? changesRights : undefined;
    }
    case 'find':
      return texts.includes('-delete') && judgeFind(rest, directory) ? removesPrecious : undefined;
    case 'kill':
      return texts.length > 1 && texts.at(-1) === '-1' ? 'It ends every process' : undefined;
    case 'killall5':
      return 'It ends every process';
    case 'rsync': {
      const removes = texts.some((text) => text.startsWith('--del'));
      return removes && isPreciousPath(named.at(-1) ?? '', directory) ? removesPrecious : undefined;
    }
    default:
      return (
        judgeDisk(name, rest) ??
        (removesDrive(name, texts) ? removesPrecious : undefined) ??
        (stopsMachine(name, texts) ? 'It stops the machine' : undefined)
      );
  }
}

const changesRights = 'It changes the rights of the system, or of a home directory';

/** Judges `mv`: all named files except the last are moved away; with `-t DIR`, all of them. */
function judgeMove(words: readonly CommandWord[], directory: string | undefined): string | undefined {
  const at = words.findIndex(({ text }) => /^(?:-t|--target-directory)$/u.test(text));
  const hasTarget = at !== -1 || words.some(({ text }) => /^(?:-t.|--target-directory=)/u.test(text));
  const named = words.filter(({ text }, index) => !text.startsWith('-') && (at === -1 || index !== at + 1));
  const moved = hasTarget ? named : named.slice(0, -1);
  return moved.some(({ text }) => isPreciousPath(text, directory))
    ? 'It moves the system, or a home directory, to another place'
    : undefined;
}

const shells: ReadonlySet<string> = new Set(
  'sh bash dash zsh ksh ash fish su pwsh powershell cmd'.split(' '),
);

/** A line that is passed to a shell to run, or that is the shell's own. */
function judgeNested(words: readonly CommandWord[], around: Nesting): string | undefined {
  const deeper = deeperIn(around);
  const [program, ...rest] = words;
  const name = programName(program?.text ?? '').replace(/\.exe$/iu, '');
  const texts = rest.map(({ text }) => text);
  if (name === 'eval') return judgeLine(texts.join(' '), deeper);
  if (name === 'trap' || name === 'alias') {
    return judgeLine((texts[0] ?? '').replace(/^\w+=/u, ''), deeper);
  }
  if (name === 'watch' || name === 'parallel') {
    const inner = unwrap(words)?.map(({ text }) => text) ?? [];
    return judgeLine(texts.join(' '), deeper) ?? judgeLine(inner.join(' '), deeper);
  }
  if (name === 'busybox' || name === 'toybox') return undefined;
  if (name === 'script' || name === 'flock') {
    return judgeLine(texts[texts.indexOf('-c') + 1] ?? '', deeper);
  }
  if (!shells.has(name)) return judgeCode(name, texts, around);
  const option = texts.findIndex((text) => /^-[a-zA-Z]*c$|^--?command|^\/[ck]$/iu.test(text));
  if (option === -1) return undefined;
  const line = /^--command=(.*)$/su.exec(texts[option] ?? '')?.[1];
  if (line !== undefined) return judgeLine(line, deeper);
  const [given = '', ...further] = texts.slice(option + 1);
  const named = further.filter((text) => text !== '_' && text !== '--').join(',');
  const listed = named.includes(',') ? `{${named}}` : named;
  const bound = given.replaceAll(/\$(?:[@*0-9]|\{[@*0-9]\})/gu, () => {
    around.effort.spend(listed.length);
    return listed;
  });
  const unquoted = /^"(.*)"$/su.exec(given)?.[1] ?? '';
  return firstReason([given, unquoted, bound, ...further], (text) => judgeLine(text, deeper));
}

/** `python -c`, `node -e` and the like: a shell line in a string of theirs. */
function judgeCode(name: string, texts: readonly string[], { effort }: Nesting): string | undefined {
  if (!/^(?:python[\d.]*|perl|ruby|node|php)$/u.test(name)) return undefined;
  const option = texts.findIndex((text) => /^-\w*[cer]$|^--eval$/u.test(text));
  if (option === -1) return undefined;
  const code = texts[option + 1] ?? '';
  const [, , removed] = removingCall.exec(code) ?? [];
  if (removesHome.test(code) || (removed !== undefined && isPreciousPath(removed))) return removesPrecious;
  return firstReason(quotedTexts(code), (text) => judgeLine(text, { depth: mostDepth, effort }));
}

/** All quoted texts, of each kind of quote. */
function quotedTexts(code: string): readonly string[] {
  return Array.from(
    code.matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`/gu),
    ([, double, single, ticked]) => double ?? single ?? ticked ?? '',
  );
}

/** A call that removes a whole folder, and which. */
const removingCall =
  /(?:rmtree|remove_tree|rm_rf?|rmSync|rmdirSync|rimraf|(?<![\w.])rm)\s*(?:\(\s*)?(?:(?:os\.path\.expanduser|(?:pathlib\.)?Path|path\.resolve)\()?(["'`])((?:(?!\1).)*)\1/su;

/** The same, of the home directory as the language calls it. */
const removesHome =
  /(?:rmtree|rm_rf?|rmSync|rmdirSync|rimraf)\s*(?:\(\s*)?(?:(?:require\(["'](?:node:)?os["']\)|os)\.homedir\(\)|(?:pathlib\.)?Path\.home\(\)|Dir\.home)\s*[,)]?/u;

const removesPrecious = 'It removes the system, or a home directory';

/** `echo LINE | sh`, and `echo / | xargs rm -rf`. */
function judgePiped(parts: readonly CommandPart[], nesting: Nesting): string | undefined {
  const deeper = deeperIn(nesting);
  const around = { directory: undefined, ...deeper };
  const spoken = [
    ...parts.flatMap(({ words: [program, ...rest] }) =>
      /^(?:echo|printf)$/u.test(program?.text ?? '')
        ? [rest.filter(({ text }) => !/^-[neE]+$/u.test(text)).map(({ text }) => text)]
        : [],
    ),
    ...listedPlaces(parts),
  ];
  if (spoken.length === 0) return undefined;
  const spokenWords = spoken.flat().map((text) => ({ text: text.replace(/\\n$/u, ''), isLiteral: true }));
  // Each once, however often it is said.
  const spokenLines = [...new Set(spoken.map((texts) => texts.join(' ')))];
  for (const { words } of parts) {
    const inner = innermost(words);
    const name = programName(inner[0]?.text ?? '');
    const isShell =
      (shells.has(name) || name === 'at' || name === 'batch') &&
      !inner.some(({ text }) => /^-[a-zA-Z]*c$/u.test(text));
    if (isShell) {
      const reason = firstReason(spokenLines, (spokenLine) => judgeLine(spokenLine, deeper));
      if (reason !== undefined) return reason;
    }
    const takesWords = words.some(({ text }) => programName(text) === 'xargs');
    if (!takesWords) continue;
    deeper.effort.spend(readCharacters(words, inner, spokenWords));
    const reason = judgeWords(withReadWords(words, inner, spokenWords), around);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** `find / | xargs rm`, `ls -d /* | xargs rm`: the first program prints the paths that the second one receives. */
function listedPlaces(parts: readonly CommandPart[]): readonly (readonly string[])[] {
  return parts.flatMap(({ words: [program, ...rest] }) => {
    const name = programName(program?.text ?? '');
    const isListing =
      name === 'find'
        ? judgeFind(rest, undefined)
        : name === 'ls' && rest.some(({ text }) => /^-\w*d/u.test(text));
    return isListing ? [rest.map(({ text }) => text).filter((text) => !text.startsWith('-'))] : [];
  });
}

function innermost(words: readonly CommandWord[]): readonly CommandWord[] {
  let inner = words;
  for (let depth = 0; depth < mostDepth; depth += 1) {
    const next = unwrap(inner);
    if (next === undefined) break;
    inner = next;
  }
  return inner;
}

/** The first reason found; later items are not judged. */
function firstReason<T>(items: readonly T[], judge: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const reason = judge(item);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
