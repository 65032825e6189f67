/** A size as people say it. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const units = ['kB', 'MB', 'GB'];
  let size = bytes / 1000;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** The path that a `file:` address names. */
export function pathOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, pathname } = new URL(uri);
  if (protocol !== 'file:') return undefined;
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
