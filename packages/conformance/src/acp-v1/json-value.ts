import { valueAt } from '@parley/wire';

/** The items of a list; none where there is no list. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const list = valueAt(value, ...keys);
  return Array.isArray(list) ? list : [];
}

/** A value as a report shows it: as JSON, not too long. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

const shownCharacters = 200;
