import { expect, test } from 'vitest';
import { findEntries, type PaletteEntry } from './palette-entry.ts';

const lengths = { first: 2, found: 3 };

function entry(id: string, group: PaletteEntry['group'], label: string, note?: string): PaletteEntry {
  return { id, group, label, run: () => {}, ...(note !== undefined && { note }) };
}

const entries = [
  entry('settings', 'go', 'Settings'),
  entry('one', 'sessions', 'Repair the engine', 'Stage · /work/engine'),
  entry('two', 'sessions', 'Engine tests', 'Parley · /work/engine'),
  entry('three', 'sessions', 'Write a letter', 'Parley · /home'),
];

function found(query: string, among: readonly PaletteEntry[] = entries): readonly string[] {
  return findEntries(among, query, lengths).map(({ id }) => id);
}

test('without a query, each group shows its first entries', () => {
  expect(found('')).toEqual(['one', 'two', 'settings']);
});

test('every word must match, in any order, in name or description', () => {
  expect(found('ENGINE parley')).toEqual(['two']);
  expect(found('engine nothing')).toEqual([]);
});

test('entries that start with the query come first in their group', () => {
  expect(found('engine')).toEqual(['two', 'one']);
});

test('entries that search elsewhere match any query, and come last', () => {
  const search = entry('search', 'search', 'Search all sessions');
  expect(found('set', [search, ...entries])).toEqual(['settings', 'search']);
  expect(found('xyz', [search, ...entries])).toEqual(['search']);
});
