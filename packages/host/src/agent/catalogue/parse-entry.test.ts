import { readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { knownAgents } from './catalogue.ts';
import { parseEntry } from './parse-entry.ts';
import { parseRegistry } from './parse-registry.ts';

const valid = {
  id: 'an-agent',
  name: 'An Agent',
  version: '1.2.3',
  description: 'Does things.',
  distribution: { npx: { package: '@scope/an-agent@1.2.3', args: ['--acp'], env: { A: 'b' } } },
};

function read(value: unknown): CatalogueEntry {
  const parsed = parseEntry(value);
  if (parsed.kind === 'faulty') throw new Error(parsed.faults.join('; '));
  return parsed.entry;
}

function faultsOf(value: unknown): readonly string[] {
  const parsed = parseEntry(value);
  return parsed.kind === 'faulty' ? parsed.faults : [];
}

test('a registry entry needs no fields of Parley, and its unknown fields stay', () => {
  const entry = read({ ...valid, preview: { version: '1.3.0-1' } });
  expect(entry).toMatchObject({
    id: 'an-agent',
    distribution: { npx: { package: '@scope/an-agent@1.2.3', args: ['--acp'], env: { A: 'b' } } },
    running: { commands: [], requires: [], quirks: [] },
  });
  expect(entry.raw).toMatchObject({ preview: { version: '1.3.0-1' } });
});

test.each([
  ['id', { id: 'Not An Id' }],
  ['id', { id: '../up' }],
  ['name', { name: '' }],
  ['version', { version: 'latest' }],
  ['version', { version: 3 }],
  ['description', { description: null }],
  ['repository', { repository: 'not a url' }],
  ['authors', { authors: 'me' }],
  ['distribution', { distribution: undefined }],
  ['distribution', { distribution: {} }],
  ['distribution.docker', { distribution: { docker: {} } }],
  ['distribution.npx.package', { distribution: { npx: { args: [] } } }],
  ['distribution.npx.args', { distribution: { npx: { package: 'a', args: [1] } } }],
  ['distribution.npx.env', { distribution: { npx: { package: 'a', env: { 'A=B': 'c' } } } }],
  ['distribution.binary', { distribution: { binary: {} } }],
  ['distribution.binary.linux-sparc', { distribution: { binary: { 'linux-sparc': {} } } }],
  [
    'distribution.binary.linux-x86_64.archive',
    { distribution: { binary: { 'linux-x86_64': { cmd: './a' } } } },
  ],
  ['parley.alias', { parley: { alias: 'No Alias' } }],
  ['parley.askMode', { parley: { askMode: 3 } }],
  ['parley.files', { parley: { files: 'read' } }],
  ['parley.detect.commands', { parley: { detect: { commands: ['../evil'] } } }],
  ['parley.detect.commands', { parley: { detect: { commands: ['--flag'] } } }],
  ['parley.detect.versionArgs', { parley: { detect: { commands: ['rm'], versionArgs: ['-rf'] } } }],
  ['parley.detect.versionArgs', { parley: { detect: { versionArgs: ['--version', 'x'] } } }],
  ['parley.start.requires', { parley: { start: { requires: ['/bin/sh'] } } }],
  ['parley.unknown', { parley: { unknown: 1 } }],
])('%s is named when it is wrong: %j', (place, change) => {
  expect(faultsOf({ ...valid, ...change }).join('\n')).toMatch(
    new RegExp(`^${place.replaceAll('.', '\\.')}: `, 'mu'),
  );
});

test('all errors are reported at once', () => {
  expect(faultsOf({})).toEqual(
    ['version', 'distribution', 'id', 'name', 'description'].map((name) => `${name}: is missing`),
  );
});

test.each([
  ['an-agent', 'an-agent@1.2.3'],
  ['an-agent@latest', 'an-agent@1.2.3'],
  ['an-agent@^2.0.0', 'an-agent@1.2.3'],
  ['@scope/an-agent@2.0.1', '@scope/an-agent@2.0.1'],
  ['an-agent@2.0.1-rc.1', 'an-agent@2.0.1-rc.1'],
])('the npm package %s is started as %s', (specifier, pinned) => {
  const entry = read({ ...valid, distribution: { npx: { package: specifier } } });
  expect(entry.distribution.npx?.package).toBe(pinned);
});

test.each([
  ['fast-agent', 'fast-agent==1.2.3'],
  ['fast-agent@latest', 'fast-agent==1.2.3'],
  ['fast-agent==0.5', 'fast-agent==0.5'],
  ['fast-agent[acp]@0.5.1', 'fast-agent[acp]==0.5.1'],
])('the Python package %s is started as %s', (specifier, pinned) => {
  const entry = read({ ...valid, distribution: { uvx: { package: specifier } } });
  expect(entry.distribution.uvx?.package).toBe(pinned);
});

test.each([
  '--call=sh',
  '../folder',
  'https://example.com/a.tgz',
  'github:some/body',
  'npm:other@1.0.0',
  'a b',
])('%s is no package that would be started', (specifier) => {
  expect(faultsOf({ ...valid, distribution: { npx: { package: specifier } } })).toHaveLength(1);
  expect(faultsOf({ ...valid, distribution: { uvx: { package: specifier } } })).toHaveLength(1);
});

test('an inexact version is not pinned', () => {
  const loose = { ...valid, version: '1.2.3 || *' };
  expect(faultsOf({ ...loose, distribution: { npx: { package: 'an-agent' } } })).toHaveLength(1);
  expect(faultsOf({ ...loose, distribution: { npx: { package: 'an-agent@1.0.0' } } })).toEqual([]);
});

test('an installed program is found by its name in the archive', () => {
  const target = { archive: 'https://example.com/a.zip', cmd: './dist\\tool.exe', args: ['acp'] };
  const { running } = read({ ...valid, distribution: { binary: { 'windows-x86_64': target } } });
  expect(running).toMatchObject({ commands: ['tool'], args: ['acp'] });
  expect(running.versionArgs).toBeUndefined();
});

test('any input results in an entry or a fault, and never throws', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom(...Object.keys(valid), 'parley', 'authors'),
      (value, field) => {
        const parsed = parseEntry({ ...valid, [field]: value });
        return parsed.kind === 'entry' || parsed.faults.length > 0;
      },
    ),
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { entries, faults } = parseRegistry(value);
      return entries.length === 0 && (faults.length > 0 || (value !== null && typeof value === 'object'));
    }),
  );
});

test('a faulty entry of a registry does not spoil the others', () => {
  const { entries, faults } = parseRegistry({
    version: '1.0.0',
    agents: [valid, { ...valid, id: 'B' }, valid, { ...valid, id: 'c' }],
    extensions: [{ id: 'no-agent' }],
  });
  expect(entries.map(({ id }) => id)).toEqual(['an-agent', 'c']);
  expect(faults).toEqual([
    'agents[1].id: expected small letters, digits and hyphens, a letter first',
    'agents[2].id: "an-agent" is there twice',
  ]);
});

test('each file of the catalogue is an agent, named by its id, with packages in one exact version', async () => {
  const folder = new URL('agents/', import.meta.url);
  const names = await readdir(folder);
  expect(names.length).toBe(knownAgents().length);
  for (const name of names) {
    const value: unknown = JSON.parse(await readFile(new URL(name, folder), 'utf8'));
    const entry = read(value);
    expect(`${entry.id}.json`).toBe(name);
    // The file says itself what is started: nothing had to be pinned.
    const { npx, uvx } = entry.distribution;
    if (uvx !== undefined) expect(JSON.stringify(value)).toContain(`"${uvx.package}"`);
    if (npx !== undefined) expect(JSON.stringify(value)).toContain(`"${npx.package}"`);
    if (npx !== undefined) expect(npx.package.endsWith(`@${entry.version}`)).toBe(true);
    expect(entry.running.commands.length).toBeGreaterThan(0);
    expect(entry.running.signIn?.hint).toBeTruthy();
  }
});

test('known agents have a mode in which they ask first', () => {
  const modes = knownAgents().flatMap(({ id, running: { askMode } }) =>
    askMode === undefined ? [] : [[id, askMode]],
  );
  expect(Object.fromEntries(modes)).toMatchObject({ parley: 'confirm', 'claude-acp': 'default' });
});

test('the entry of the built-in agent has the version of its package', async () => {
  const manifest: unknown = JSON.parse(
    await readFile(new URL('../../../../cli/package.json', import.meta.url), 'utf8'),
  );
  const own = knownAgents().find(({ id }) => id === 'parley');
  expect(manifest).toMatchObject({ version: own?.version });
});
