import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { takeLock } from '@parley/workspace';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { editConfiguration, fieldsOf, type RawConfiguration } from './edit-configuration.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-edit-'));
  file = path.join(folder, 'parley', 'config.json');
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const addAgent = (fields: RawConfiguration): RawConfiguration => ({
  ...fields,
  agents: { ...fieldsOf(fields, 'agents'), mine: { command: 'node' } },
});

test.skipIf(process.platform === 'win32')('a file that is not there is made for its owner only', async () => {
  await editConfiguration(file, addAgent);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ agents: { mine: { command: 'node' } } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(path.dirname(file))).toEqual(['config.json']);
});

test('other fields stay in the file in their order, including unknown ones', async () => {
  file = path.join(folder, 'config.json');
  await writeFile(
    file,
    '{\n\t"future": [1, null],\n\t"agents": { "a": { "command": "x" } },\n\t"limits": {}\n}\n',
  );
  await editConfiguration(file, addAgent);
  const text = await readFile(file, 'utf8');
  expect(Object.entries(JSON.parse(text) as object)).toEqual([
    ['future', [1, null]],
    ['agents', { a: { command: 'x' }, mine: { command: 'node' } }],
    ['limits', {}],
  ]);
  expect(text).toContain('\n\t"future"');
});

test('comments, line endings and the format of other fields stay', async () => {
  file = path.join(folder, 'config.json');
  await writeFile(
    file,
    '\uFEFF// mine\r\n{\r\n    "agents": {\r\n        "a": { "command": "x" }, // the first\r\n    },\r\n    "limits": {  }\r\n}\r\n',
  );
  await editConfiguration(file, addAgent);
  const text = await readFile(file, 'utf8');
  expect(text.startsWith('// mine\r\n{\r\n    "agents": {\r\n        "a": {')).toBe(true);
  expect(text).toContain('// the first');
  expect(text.endsWith('    "limits": {  }\r\n}\r\n')).toBe(true);
  await editConfiguration(file, (fields) => ({ ...fields, agents: { mine: { command: 'node' } } }));
  expect(await readFile(file, 'utf8')).not.toContain('"a"');
});

test('a file that is not a configuration is not changed', async () => {
  file = path.join(folder, 'config.json');
  for (const text of ['{ "agents": ', '{ "agents": [] }', '[]', '']) {
    await writeFile(file, text);
    await expect(editConfiguration(file, addAgent)).rejects.toMatchObject({ code: 'configuration' });
    expect(await readFile(file, 'utf8')).toBe(text);
  }
});

test('an invalid or unchanged configuration is not written', async () => {
  await expect(editConfiguration(file, () => ({ agents: { mine: {} } }))).rejects.toMatchObject({
    code: 'configuration',
  });
  expect(await editConfiguration(file, () => undefined)).toBeUndefined();
  expect(await readdir(path.dirname(file))).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'a link stays a link, and permissions stay as they are',
  async () => {
    const real = path.join(folder, 'dotfiles.json');
    file = path.join(folder, 'config.json');
    await writeFile(real, '{}');
    await chmod(real, 0o644);
    await symlink(real, file);
    await editConfiguration(file, addAgent);
    expect(JSON.parse(await readFile(real, 'utf8'))).toMatchObject({ agents: { mine: {} } });
    expect((await stat(real)).mode & 0o777).toBe(0o644);
  },
);

test('a file that another process is changing is not written', async () => {
  const lock = await takeLock(`${file}.lock`);
  await expect(editConfiguration(file, addAgent)).rejects.toThrow('another parley is changing it');
  if (lock.isTaken) await lock.release();
  await expect(editConfiguration(file, addAgent)).resolves.toBeDefined();
});
