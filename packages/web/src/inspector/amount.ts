/** A time that something took, short: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function toDuration(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** How much something is, short: `812 B`, `1.2 kB`, `4.5 MB`. */
export function toSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
