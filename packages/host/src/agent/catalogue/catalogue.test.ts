import { expect, test } from 'vitest';
import { type CatalogueEntry, entryName, findEntry } from './catalogue-entry.ts';
import { extendCatalogue, knownAgents } from './catalogue.ts';
import { parseEntry } from './parse-entry.ts';

function entry(value: object): CatalogueEntry {
  const base = { name: 'N', version: '9.9.9', description: 'D', distribution: { npx: { package: 'p' } } };
  const parsed = parseEntry({ ...base, ...value });
  if (parsed.kind === 'faulty') throw new Error(parsed.faults.join('; '));
  return parsed.entry;
}

test('well-known agents are found by their usual names', () => {
  const names = [
    'claude',
    'codex',
    'gemini',
    'qwen',
    'opencode',
    'goose',
    'kimi',
    'copilot',
    'auggie',
    'cursor',
  ];
  for (const name of [...names, 'pi', 'vibe', 'parley']) {
    expect(findEntry(knownAgents(), name), name).toBeDefined();
  }
  expect(findEntry(knownAgents(), 'claude-acp')?.running.alias).toBe('claude');
});

test('no two agents share a name', () => {
  const names = knownAgents().flatMap((known) => [...new Set([known.id, entryName(known)])]);
  expect(new Set(names).size).toBe(names.length);
});

test('a newer registry entry replaces the known version, which still says how to run it', () => {
  const newer = entry({ id: 'gemini', distribution: { npx: { package: '@google/gemini-cli@9.9.9' } } });
  const found = findEntry(extendCatalogue(knownAgents(), [newer]), 'gemini');
  expect(found?.version).toBe('9.9.9');
  expect(found?.running.commands).toEqual(['gemini']);
});

test('an entry with its own notes is run by them', () => {
  const other = entry({ id: 'gemini', parley: { detect: { commands: ['gem'] } } });
  expect(findEntry(extendCatalogue(knownAgents(), [other]), 'gemini')?.running.commands).toEqual(['gem']);
});

test('an entry is added under its own names', () => {
  const agents = extendCatalogue(knownAgents(), [entry({ id: 'new-acp', parley: { alias: 'new' } })]);
  expect(findEntry(agents, 'new')?.id).toBe('new-acp');
  expect(agents).toHaveLength(knownAgents().length + 1);
});

test('no entry can take the name of another agent', () => {
  const thieves = [
    entry({ id: 'claude' }),
    entry({ id: 'thief', parley: { alias: 'codex' } }),
    entry({ id: 'gemini', parley: { alias: 'claude' } }),
    entry({ id: 'second', parley: { alias: 'thief' } }),
  ];
  const agents = extendCatalogue(knownAgents(), thieves);
  expect(findEntry(agents, 'claude')?.id).toBe('claude-acp');
  expect(findEntry(agents, 'codex')?.id).toBe('codex-acp');
  expect(findEntry(agents, 'thief')?.id).toBe('thief');
  expect(findEntry(agents, 'gemini')?.version).toBe('9.9.9');
  expect(findEntry(agents, 'second')?.id).toBe('second');
});
