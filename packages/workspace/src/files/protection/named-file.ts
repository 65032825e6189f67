import { commandFiles } from '../../command/command-files.ts';
import type { Command } from '../../command/command.ts';
import type { Protection } from './protection-text.ts';
import { holdsKeys, protectionBelow, protectionOf } from './protection.ts';

/** The effect of a call on a file; `named` if the call does not specify one. */
export type FileEffect = 'read' | 'write' | 'delete' | 'move' | 'named';

/** A file in a call, with what is known about it before the call runs. */
export interface NamedFile {
  /** The absolute path, as named. */
  readonly path: string;
  /** The path after links are resolved, if it differs. */
  readonly realPath?: string;
  /** Whether it is outside of the session's directories. */
  readonly isOutside?: true;
  readonly effect: FileEffect;
  /** Why it is protected, if it is. */
  readonly protection?: Protection;
}

/** The directories to check files in. */
export interface FilePlace {
  /** The session's directories as real paths. */
  readonly directories: readonly string[];
  /** Resolves a path; rejects for paths outside. */
  resolve(path: string): Promise<string>;
}

/** Checks a file that a call names by its absolute path. */
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

/** Returns the files in a command: targets and sources of redirections, and protected files among its words. */
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

/** Files in a command that are checked. */
const mostFiles = 256;

/**
 * The protection of a file. For reading, only files with keys count; for removing or moving a folder, also its
 * content.
 */
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

/** Whether a command consists only of a git command. */
function isGit(command: Command): boolean {
  return typeof command === 'string'
    ? /^git(?:\s[^|&;<>()$`\\\n]*)?$/u.test(command.trim())
    : command[0] === 'git';
}
