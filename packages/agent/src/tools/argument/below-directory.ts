/** The path as seen from the directory, where it is inside. */
export function belowDirectory(directory: string, path: string): string {
  const isInside = path.startsWith(directory) && /^[/\\]/u.test(path.slice(directory.length));
  return isInside ? path.slice(directory.length + 1) : path;
}
