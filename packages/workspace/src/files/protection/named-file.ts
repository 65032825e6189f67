import { commandFiles } from '../../command/command-files.ts';
import type { Command } from '../../command/command.ts';
import type { Protection } from './protection-text.ts';
import { holdsKeys, protectionBelow, protectionOf } from './protection.ts';

/** What happens to a file that a call names; `named` where the call does not say. */
export type FileEffect = 'read' | 'write' | 'delete' | 'move' | 'named';

/** A file that a call names, and what there is to know of it before it is touched. */
export interface NamedFile {
  /** Absolute, as it was named. */
  readonly path: string;
  /** Where it leads, where that is another path. */
  readonly realPath?: string;
  /** It is outside of the session's directories. */
  readonly isOutside?: true;
  readonly effect: FileEffect;
  /** What it is, where it always asks. */
  readonly protection?: Protection;
}

/** Where files are looked at. */
export interface FilePlace {
  /** The session's directories, by their real paths. */
  readonly directories: readonly string[];
  /** Where a path leads; fails for what is outside. */
  resolve(path: string): Promise<string>;
}

/** Looks at a file that a call names, by an absolute path. */
export async function lookAtFile(path: string, effect: FileEffect, place: FilePlace): Promise<NamedFile> {
  // Outside of the session's directories it is judged by the name it has.
  const real = await place.resolve(path).catch(() => undefined);
  const names = real === undefined || real === path ? [path] : [path, real];
  const protection = await protectionFor(names, effect, place.directories);
  return {
    path,
    ...(real !== undefined && real !== path && { realPath: real }),
    ...(real === undefined && { isOutside: true }),
    effect,
    ...(protection !== undefined && { protection }),
  };
}

/** The files that stand in a command: those it redirects to and from, and protected ones among its words. */
export async function lookAtCommandFiles(
  command: Command,
  directory: string,
  place: FilePlace,
): Promise<readonly NamedFile[]> {
  const files = commandFiles(command, directory);
  if (files === undefined) return [];
  const found = new Map<string, NamedFile>();
  const add = async (
    paths: readonly string[],
    effect: FileEffect,
    isProtectedOnly: boolean,
  ): Promise<void> => {
    for (const path of paths.slice(0, mostFiles)) {
      if (found.has(path)) continue;
      const file = await lookAtFile(path, effect, place);
      if (!isProtectedOnly || file.protection !== undefined) found.set(path, file);
    }
  };
  await add(files.written, 'write', false);
  await add(files.read, 'read', false);
  // What git does in its own folder is its business; what another program makes of such a name is not known.
  if (!isGit(command)) await add(files.given, 'named', true);
  await add(files.shown, 'read', true);
  return [...found.values()];
}

/** How many files of a sort that stand in a command are looked at. */
const mostFiles = 256;

/** What protects a file: for a reader only that there are keys in it; for who removes or moves a folder also what is in that. */
async function protectionFor(
  names: readonly string[],
  effect: FileEffect,
  roots: readonly string[],
): Promise<Protection | undefined> {
  const found = names.map((name) => protectionOf(name, roots)).find((protection) => protection !== undefined);
  if (effect === 'read') return found !== undefined && holdsKeys(found) ? found : undefined;
  if (found !== undefined || (effect !== 'delete' && effect !== 'move')) return found;
  for (const name of names) {
    const inside = await protectionBelow(name);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** Whether a command is nothing but one of git's. */
function isGit(command: Command): boolean {
  return typeof command === 'string'
    ? /^git(?:\s[^|&;<>()$`\\\n]*)?$/u.test(command.trim())
    : command[0] === 'git';
}
