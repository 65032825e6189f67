import { readFileSync } from 'node:fs';

/** The version of this command, as its package says. */
export function readVersion(): string {
  return readManifest('version') ?? 'unknown';
}

/** The versions of Node that this command is made for, such as `>=20.19`. */
export function readNodeRange(): string {
  return readManifest('engines', 'node') ?? '';
}

/** A text in the manifest of this package, by the names of the fields that lead to it. */
function readManifest(...names: readonly string[]): string | undefined {
  let value: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  for (const name of names) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.entries(value).find(([field]) => field === name)?.[1];
  }
  return typeof value === 'string' ? value : undefined;
}
