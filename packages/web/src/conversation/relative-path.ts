/** A path relative to a folder, which itself is `.`; paths outside of it are not changed. */
export function relativePath(path: string, folder: string | undefined): string {
  if (folder === undefined || folder === '') return path;
  if (path === folder) return '.';
  const separator = folder.includes('\\') ? '\\' : '/';
  const base = folder.endsWith(separator) ? folder : `${folder}${separator}`;
  return path.startsWith(base) && path.length > base.length ? path.slice(base.length) : path;
}
