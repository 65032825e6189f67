import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tokenFile, watchTokens } from './token-file.ts';
import { findToken, tokenId, toTokenRecord } from './token.ts';

let folder = '';
let file = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-tokens-'));
  file = path.join(folder, 'tokens.json');
});

afterEach(() => rm(folder, { recursive: true }));

test('a new token is found with its name and scope', async () => {
  const token = await tokenFile(file).add({ name: 'ci', scope: 'use' });

  expect(findToken(token, await tokenFile(file).list())).toMatchObject({
    name: 'ci',
    scope: 'use',
  });
  expect(findToken(`${token}x`, await tokenFile(file).list())).toBeUndefined();
});

test('the file contains no token, and only its owner can read it', async () => {
  const token = await tokenFile(file).add({ name: 'ci', scope: 'use' });

  expect(await readFile(file, 'utf8')).not.toContain(token);
  expect((await stat(file)).mode & 0o077).toBe(0);
});

test('a token name can be used only once', async () => {
  await tokenFile(file).add({ name: 'ci', scope: 'use' });

  await expect(tokenFile(file).add({ name: 'ci', scope: 'admin' })).rejects.toMatchObject({
    code: 'name-taken',
  });
});

test('a revoked token is no longer valid', async () => {
  const token = await tokenFile(file).add({ name: 'ci', scope: 'use' });

  expect(await tokenFile(file).revoke('ci')).toBe(true);

  expect(findToken(token, await tokenFile(file).list())).toBeUndefined();
  expect(await tokenFile(file).revoke('ci')).toBe(false);
});

test('a running server applies changes, and accepts no token from an unreadable file', async () => {
  const faults: unknown[] = [];
  using watched = await watchTokens(file, { everyMs: 5, onFault: (error) => faults.push(error) });
  expect(watched.tokens).toEqual([]);

  await tokenFile(file).add({ name: 'ci', scope: 'observe' });
  await vi.waitUntil(() => watched.tokens.length === 1, { timeout: 120_000 });
  await writeFile(file, 'damaged', { mode: 0o600 });
  await vi.waitUntil(() => watched.tokens.length === 0, { timeout: 120_000 });

  expect(faults[0]).toMatchObject({ code: 'damaged' });
});

test('a token that was just added is found at once', async () => {
  using watched = await watchTokens(file, { everyMs: 600_000, onFault: () => undefined });
  await tokenFile(file).add({ name: 'ci', scope: 'use' });

  await Promise.all([watched.refresh(), watched.refresh()]);

  expect(watched.tokens).toMatchObject([{ name: 'ci' }]);
});

test('a token has its own id, which a later token of the same name does not get', async () => {
  const tokens = tokenFile(file);
  await tokens.add({ name: 'ci', scope: 'use' });
  const [first] = await tokens.list();
  await tokens.revoke('ci');

  await tokens.add({ name: 'ci', scope: 'use' });

  const [second] = await tokens.list();
  expect(first?.id).toMatch(/^token:[\da-f]{32}$/u);
  expect(second?.id).not.toBe(first?.id);
});

test('tokens in a file of an earlier version get ids', async () => {
  const { sha256 } = toTokenRecord('secret', { name: 'ci', scope: 'use' });
  const entry = { name: 'ci', scope: 'use', sha256, createdAt: '2026-01-01T00:00:00.000Z' };
  await writeFile(file, JSON.stringify({ version: 1, entries: [entry] }), { mode: 0o600 });

  const tokens = await tokenFile(file).list();

  expect(tokens).toEqual([{ ...entry, id: tokenId(sha256) }]);
  expect(findToken('secret', tokens)).toMatchObject({ name: 'ci', id: tokenId(sha256) });
});

test('an expired token is invalid, and its name can be reused', async () => {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const now = (): number => time;
  await tokenFile(file, { now }).add({ name: 'ci', scope: 'use', lifetimeMs: 1000 });
  using watched = await watchTokens(file, { everyMs: 60_000, onFault: () => undefined, now });
  expect(watched.tokens).toMatchObject([{ name: 'ci', expiresAt: '2026-01-01T00:00:01.000Z' }]);
  await expect(tokenFile(file, { now }).add({ name: 'ci', scope: 'use' })).rejects.toMatchObject({
    code: 'name-taken',
  });

  time += 1000;

  expect(watched.tokens).toEqual([]);
  await tokenFile(file, { now }).add({ name: 'ci', scope: 'use' });
  expect(await tokenFile(file, { now }).list()).toHaveLength(1);
});

test.each([
  ['a date that cannot be read', { expiresAt: 'next week' }],
  ['a scope of another version', { scope: 'review' }],
  ['a damaged digest', { sha256: 'abc' }],
])('an entry with %s is no token, and the others are valid', async (_what, change) => {
  const entryOf = (secret: string): object => ({
    name: secret,
    scope: 'use',
    sha256: toTokenRecord(secret, { name: secret, scope: 'use' }).sha256,
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  const entries = [{ ...entryOf('odd'), ...change }, null, entryOf('ci')];
  await writeFile(file, JSON.stringify({ version: 1, entries }), { mode: 0o600 });

  expect(await tokenFile(file).list()).toMatchObject([{ name: 'ci' }]);
  using watched = await watchTokens(file, { everyMs: 60_000, onFault: () => undefined });
  expect(watched.tokens).toMatchObject([{ name: 'ci' }]);
});

test.skipIf(process.platform === 'win32')(
  'a file that other users may write is refused, also while the server runs',
  async () => {
    await tokenFile(file).add({ name: 'ci', scope: 'use' });
    const faults: unknown[] = [];
    using watched = await watchTokens(file, { everyMs: 5, onFault: (error) => faults.push(error) });
    expect(watched.tokens).toHaveLength(1);

    await chmod(file, 0o666);

    await vi.waitUntil(() => watched.tokens.length === 0, { timeout: 120_000 });
    expect(faults).toMatchObject([
      { code: 'insecure', message: expect.stringContaining('chmod 600') as string },
    ]);
    await expect(tokenFile(file).list()).rejects.toMatchObject({ code: 'insecure' });
    await expect(tokenFile(file).add({ name: 'new', scope: 'use' })).rejects.toMatchObject({
      code: 'insecure',
    });
    await expect(watchTokens(file, { everyMs: 60_000, onFault: () => undefined })).rejects.toMatchObject({
      code: 'insecure',
    });

    await chmod(file, 0o600);
    await vi.waitUntil(() => watched.tokens.length === 1, { timeout: 120_000 });
  },
);
