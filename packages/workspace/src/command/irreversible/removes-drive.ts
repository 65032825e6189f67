/** Whether a command formats or empties a whole drive, in the syntax of the Windows shells. */
export function removesDrive(program: string, texts: readonly string[]): boolean {
  const hasDrive = texts.some((text) => /^["']?[a-z]:[\\/]*(?:\*(?:\.\*)?)?["']?$/iu.test(text));
  if (!hasDrive) return false;
  switch (program.toLowerCase().replace(/\.(?:exe|com)$/u, '')) {
    case 'format':
    case 'format-volume':
      return true;
    case 'rd':
    case 'rmdir':
    case 'del':
    case 'erase':
      return texts.some((text) => /^\/s/iu.test(text));
    case 'remove-item':
    case 'ri':
    case 'rm':
      return texts.some((text) => /^-r/iu.test(text));
    default:
      return false;
  }
}
