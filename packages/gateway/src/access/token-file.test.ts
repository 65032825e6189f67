import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tokenFile, watchTokens } from './token-file.ts';
import { findToken } from './token.ts';

let folder = '';
let file = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-tokens-'));
  file = path.join(folder, 'tokens.json');
});

afterEach(() => rm(folder, { recursive: true }));

test('a token that was made is found, with its name and scope', async () => {
  const token = await tokenFile(file).add('ci', 'use');

  expect(findToken(token, await tokenFile(file).list())).toMatchObject({
    name: 'ci',
    scope: 'use',
  });
  expect(findToken(`${token}x`, await tokenFile(file).list())).toBeUndefined();
});

test('the file has no token in it, and is for its owner only', async () => {
  const token = await tokenFile(file).add('ci', 'use');

  expect(await readFile(file, 'utf8')).not.toContain(token);
  expect((await stat(file)).mode & 0o077).toBe(0);
});

test('a name is given once', async () => {
  await tokenFile(file).add('ci', 'use');

  await expect(tokenFile(file).add('ci', 'admin')).rejects.toMatchObject({ code: 'name-taken' });
});

test('what is revoked counts no more', async () => {
  const token = await tokenFile(file).add('ci', 'use');

  expect(await tokenFile(file).revoke('ci')).toBe(true);

  expect(findToken(token, await tokenFile(file).list())).toBeUndefined();
  expect(await tokenFile(file).revoke('ci')).toBe(false);
});

test('a server that runs hears of changes, and lets nobody in by a file it cannot read', async () => {
  const faults: unknown[] = [];
  using watched = await watchTokens(file, { everyMs: 5, onFault: (error) => faults.push(error) });
  expect(watched.tokens).toEqual([]);

  await tokenFile(file).add('ci', 'observe');
  await vi.waitUntil(() => watched.tokens.length === 1, { timeout: 15_000 });
  await writeFile(file, 'damaged');
  await vi.waitUntil(() => watched.tokens.length === 0, { timeout: 15_000 });

  expect(faults[0]).toMatchObject({ code: 'damaged' });
});
