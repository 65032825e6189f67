/** Whether a program's name is one of a shell with the grammar of POSIX. */
export function isShellName(name: string): boolean {
  return posixShells.has(name);
}

/**
 * Whether the first word of a command names one of the system's shells: by its bare name, or in a folder of the system.
 * What a bare name leads to is for the caller to find out (`isSystemShell`) where the program is started by Parley.
 */
export function namesSystemShell(word: string): boolean {
  return /^(?:\/(?:usr\/(?:local\/)?)?bin\/)?(?:sh|bash|dash|zsh|ksh|ash)$/u.test(word);
}

const posixShells: ReadonlySet<string> = new Set('sh bash dash zsh ksh ksh93 mksh ash'.split(' '));
