import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isShellName } from './shell-name.ts';

/** What decides whether a file is one of the system's shells, for tests. */
export interface SystemShellOptions {
  /** @default the system's */
  readonly platform?: NodeJS.Platform;
  /** The list of login shells. @default `/etc/shells` */
  readonly shellsFile?: string;
}

/**
 * Whether a program is one of the system's shells: named like one, in a folder of the system or listed in `/etc/shells`,
 * owned by root, and neither the file nor its folder writable by others. Only such a program runs the line behind `-c` as
 * the shell's grammar says; any other program with such a name is an unknown program with arguments.
 *
 * @param realPath The program that was resolved, with all links followed.
 */
export async function isSystemShell(realPath: string, options: SystemShellOptions = {}): Promise<boolean> {
  const { platform = process.platform, shellsFile = '/etc/shells' } = options;
  if (platform === 'win32') return isWindowsShell(realPath);
  if (!path.posix.isAbsolute(realPath) || path.posix.normalize(realPath) !== realPath) return false;
  const isListed = systemFolders.has(path.posix.dirname(realPath)) || (await isListedIn(shellsFile, realPath));
  if (!isListed || !isShellName(path.posix.basename(realPath))) return false;
  return (await isHeldByRoot(realPath)) && (await isHeldByRoot(path.posix.dirname(realPath)));
}

const systemFolders: ReadonlySet<string> = new Set([
  '/bin',
  '/sbin',
  '/usr/bin',
  '/usr/sbin',
  '/usr/local/bin',
]);

async function isHeldByRoot(file: string): Promise<boolean> {
  try {
    const { uid, mode } = await stat(file);
    return uid === 0 && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}

async function isListedIn(file: string, shell: string): Promise<boolean> {
  try {
    const lines = (await readFile(file, 'utf8')).split('\n');
    return lines.some((line) => line.trim() === shell) && (await isHeldByRoot(file));
  } catch {
    return false;
  }
}

/** Only the fixed folders that Windows protects; a drive can be any letter. */
function isWindowsShell(file: string): boolean {
  return /^[a-z]:\\(?:windows\\system32\\(?:cmd\.exe|windowspowershell\\v1\.0\\powershell\.exe)|program files\\(?:powershell\\7\\pwsh\.exe|git\\(?:usr\\)?bin\\(?:ba)?sh\.exe))$/iu.test(
    file,
  );
}
