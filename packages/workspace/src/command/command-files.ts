import { homedir } from 'node:os';
import path from 'node:path';
import type { CommandPart, CommandWord } from './command-part.ts';
import { type Command, partsOf } from './command.ts';
import { startedLine } from './started/started-command.ts';

/** What a command shows of the files it is about, by absolute paths. */
export interface CommandFiles {
  /** Files that its redirections write, and files that they read. */
  readonly written: readonly string[];
  readonly read: readonly string[];
  /** Arguments of its programs that may be files. What the programs do with them is unknown. */
  readonly given: readonly string[];
  /** Arguments of programs that change nothing. */
  readonly shown: readonly string[];
}

/**
 * Finds the files that appear in a command. Undefined if the command cannot be parsed. Files that a program opens by
 * itself, and the values of variables and patterns, are not included; for a word that ends with one of these, its
 * folder is.
 *
 * @param directory The folder in which it starts.
 */
export function commandFiles(command: Command, directory: string): CommandFiles | undefined {
  const files: Collected = { written: [], read: [], given: [], shown: [] };
  return collect(command, [directory], files, 0) && !isTooMuch(files) ? files : undefined;
}

type Collected = { readonly [Use in keyof CommandFiles]: string[] };

/** Nesting depth of commands whose files are collected. */
const mostDepth = 8;
/** Files of one command. */
const mostFiles = 1000;

function isTooMuch({ written, read, given, shown }: Collected): boolean {
  return written.length + read.length + given.length + shown.length > mostFiles;
}

/** Collects the files of a command. False if part of it cannot be parsed. */
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

/** Folders in which the files of a command are located. */
const mostFolders = 20;
/** Characters of all located paths. */
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

/** Programs that only print their arguments. */
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

/** The files that a word may name: itself, the value of an option or setting in it, or the text after an `@`. */
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

/** The certain part of a word that the shell expands: all of it after a `~`, else the folder before the expansion. */
function knownPart(source: string): string {
  const text = source.replace(/^"?\$(?:HOME|\{HOME\})"?(?=\/|$)/, '~').replaceAll(/["'\\]/g, '');
  const expanded = text.search(/[$`*?[{<>]/);
  return expanded === -1 ? text : text.slice(0, text.lastIndexOf('/', expanded) + 1);
}
