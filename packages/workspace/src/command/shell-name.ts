/** Checks whether a program name is that of a shell with POSIX grammar. */
export function isShellName(name: string): boolean {
  return posixShells.has(name);
}

const posixShells: ReadonlySet<string> = new Set('sh bash dash zsh ksh ksh93 mksh ash'.split(' '));
