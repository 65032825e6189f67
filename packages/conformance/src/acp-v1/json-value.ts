import { valueAt } from '@parley/wire';

/** The items of a list; empty if the value is not a list. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const list = valueAt(value, ...keys);
  return Array.isArray(list) ? list : [];
}

/** A value as a report shows it: as JSON, not too long. */
export function shown(value: unknown, maxCharacters = 200): string {
  return cut(value === undefined ? 'nothing' : JSON.stringify(value), maxCharacters);
}

/** A text that is not longer than this, and says so where it was. */
export function cut(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
