import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isShellName } from './shell-name.ts';

/** Options of `isSystemShell`, for tests. */
export interface SystemShellOptions {
  /** @default the system's platform */
  readonly platform?: NodeJS.Platform;
  /** The list of login shells. @default `/etc/shells` */
  readonly shellsFile?: string;
}

/**
 * Checks whether a program is one of the system's shells: named like one, in a system folder or listed in
 * `/etc/shells`, owned by root, with neither the file nor its folder writable by other users. Only such a program is
 * known to run the line after `-c`; any other program with such a name is an unknown program with arguments.
 *
 * @param program The absolute path of the command's first word.
 */
export function isSystemShell(program: string, options: SystemShellOptions = {}): boolean {
  const { platform = process.platform, shellsFile = '/etc/shells' } = options;
  if (platform === 'win32') return isWindowsShell(program);
  if (!path.posix.isAbsolute(program) || path.posix.normalize(program) !== program) return false;
  if (!isShellName(path.posix.basename(program))) return false;
  const folder = path.posix.dirname(program);
  return (
    (systemFolders.has(folder) || isListedIn(shellsFile, program)) && isRoots(program) && isRoots(folder)
  );
}

const systemFolders: ReadonlySet<string> = new Set([
  '/bin',
  '/sbin',
  '/usr/bin',
  '/usr/sbin',
  '/usr/local/bin',
]);

/** Whether the file, after following links, is owned by root and writable by no other user. */
function isRoots(file: string): boolean {
  try {
    const { uid, mode } = statSync(file);
    return uid === 0 && (mode & 0o022) === 0;
  } catch {
    // What cannot be looked at is not known to be the system's.
    return false;
  }
}

function isListedIn(file: string, shell: string): boolean {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.some((line) => line.trim() === shell) && isRoots(file);
  } catch {
    // Not every system has the list.
    return false;
  }
}

/** Only the fixed folders that Windows protects; a drive can be any letter. */
function isWindowsShell(file: string): boolean {
  return /^[a-z]:\\(?:windows\\system32\\(?:cmd\.exe|windowspowershell\\v1\.0\\powershell\.exe)|program files\\(?:powershell\\7\\pwsh\.exe|git\\(?:usr\\)?bin\\(?:ba)?sh\.exe))$/iu.test(
    file,
  );
}
