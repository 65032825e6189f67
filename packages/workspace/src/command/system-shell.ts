import { basename, dirname } from 'node:path';

/**
 * Whether a program is a shell of the system, by the path that a command's first word resolves to. Any other program may
 * bear such a name, and what it makes of `-c` only it knows.
 */
export function isSystemShell(program: string): boolean {
  return shells.has(basename(program)) && folders.has(dirname(program));
}

const shells: ReadonlySet<string> = new Set('sh bash dash zsh ksh ash'.split(' '));

/** Folders that only an administrator writes to. */
const folders: ReadonlySet<string> = new Set(['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']);
