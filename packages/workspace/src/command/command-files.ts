import { homedir } from 'node:os';
import path from 'node:path';
import type { CommandPart, CommandWord } from './command-part.ts';
import { type Command, partsOf } from './command.ts';
import { startedLine } from './started/started-command.ts';

/** What a command shows of the files it is about, by absolute paths. */
export interface CommandFiles {
  /** What its redirections write to, and what they read. */
  readonly written: readonly string[];
  readonly read: readonly string[];
  /** What its programs are given, which may be files: what they do with them, only they know. */
  readonly given: readonly string[];
  /** The same, given to programs that change nothing. */
  readonly shown: readonly string[];
}

/**
 * The files that stand in a command. Undefined when it cannot be taken apart. What a program opens of itself, and what a
 * variable or a pattern comes to, does not stand there; of a word that goes on with one of these, the folder does.
 *
 * @param directory Where it starts.
 */
export function commandFiles(command: Command, directory: string): CommandFiles | undefined {
  const files: Collected = { written: [], read: [], given: [], shown: [] };
  return collect(command, [directory], files, 0) && !isTooMuch(files) ? files : undefined;
}

type Collected = { readonly [Use in keyof CommandFiles]: string[] };

const mostDepth = 8;
const mostFiles = 1000;

function isTooMuch({ written, read, given, shown }: Collected): boolean {
  return written.length + read.length + given.length + shown.length > mostFiles;
}

/** False where something of it cannot be taken apart. */
function collect(command: Command, places: readonly string[], files: Collected, depth: number): boolean {
  const parts = depth > mostDepth ? undefined : partsOf(command);
  if (parts === undefined) return false;
  // The line may be in any of the folders that it goes to: which, only its run decides.
  const folders = [...places];
  for (const part of parts) {
    if (isTooMuch(files) || folders.length > mostFolders) return false;
    // Each word may be a file in each of them.
    if (part.words.length * folders.join('').length > mostPlaceCharacters) return false;
    collectPart(part, folders, files);
    const target = folderAfter(part, folders);
    if (target !== undefined) folders.push(target);
    const started = startedLine(part.words);
    if (started === undefined) continue;
    if (!started.isKnown || !collect(started.line, folders, files, depth + 1)) return false;
  }
  return true;
}

const mostFolders = 20;
const mostPlaceCharacters = 2 * 1024 * 1024;

function collectPart(
  { words, assignments, writes, reads }: CommandPart,
  folders: readonly string[],
  files: Collected,
): void {
  const filesIn = (word: CommandWord): readonly string[] => wordFiles(word, folders);
  files.written.push(...writes.flatMap(filesIn));
  files.read.push(...reads.flatMap(filesIn));
  files.given.push(...assignments.flatMap(({ value }) => filesIn(value)));
  const [program, ...given] = words;
  if (program === undefined) return;
  if (program.text.includes('/')) files.given.push(...filesIn(program));
  const name = program.text.slice(program.text.lastIndexOf('/') + 1);
  if (saying.has(name)) return;
  files[showing.has(name) ? 'shown' : 'given'].push(...given.flatMap(filesIn));
}

/** Programs to which words are words, and nothing else. */
const saying: ReadonlySet<string> = new Set('echo printf true false'.split(' '));

/** Programs that change nothing, with any arguments. */
const showing: ReadonlySet<string> = new Set(
  'cat head tail ls wc grep egrep fgrep stat file du cmp diff cksum md5sum sha1sum sha256sum cd'.split(' '),
);

function folderAfter({ words }: CommandPart, folders: readonly string[]): string | undefined {
  const [program, target] = words;
  if (program?.text !== 'cd' && program?.text !== 'pushd') return undefined;
  if (target === undefined) return homedir();
  return target.isLiteral ? path.resolve(folders.at(-1) ?? '', target.text) : undefined;
}

/** The files that a word may name: itself, the value of an option or a setting in it, or what stands behind an `@`. */
function wordFiles(word: CommandWord, folders: readonly string[]): readonly string[] {
  const { text } = word;
  const value = text.slice(text.indexOf('=') + 1);
  const behindOption = /^-[A-Za-z](?=.)/.test(text) ? text.slice(2) : '';
  const texts = [text, value, behindOption].flatMap((each) =>
    each.startsWith('@') ? [each, each.slice(1)] : [each],
  );
  return [...new Set(texts)].flatMap((each) => textFiles({ ...word, text: each }, folders));
}

function textFiles({ text, isLiteral }: CommandWord, folders: readonly string[]): readonly string[] {
  const known = isLiteral ? text : knownPart(text);
  if (known === '' || known === '-') return [];
  if (!isLiteral && /^~(?=\/|$)/.test(known)) return [path.join(homedir(), known.slice(1))];
  return folders.map((folder) => path.resolve(folder, known));
}

/** What a word that the shell expands names for certain: all of it but for a `~`, else the folder before what is expanded. */
function knownPart(source: string): string {
  const text = source.replace(/^"?\$(?:HOME|\{HOME\})"?(?=\/|$)/, '~').replaceAll(/["'\\]/g, '');
  const expanded = text.search(/[$`*?[{<>]/);
  return expanded === -1 ? text : text.slice(0, text.lastIndexOf('/', expanded) + 1);
}
