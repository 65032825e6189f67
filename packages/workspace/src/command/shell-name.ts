/** Whether a program's name is one of a shell with the grammar of POSIX. */
export function isShellName(name: string): boolean {
  return posixShells.has(name);
}

const posixShells: ReadonlySet<string> = new Set('sh bash dash zsh ksh ksh93 mksh ash'.split(' '));
