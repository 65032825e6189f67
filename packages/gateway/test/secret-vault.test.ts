import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSecretVault } from '../src/index.ts';

async function temporaryKey(name = 'key'): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-vault-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'deep', name);
}

test('a sealed secret can be opened again, by a later vault too, and reveals nothing', async () => {
  const file = await temporaryKey();
  const vault = await openSecretVault(file);
  const secrets = ['sk-1234', '', 'grüße 😀'.repeat(1000)];
  const sealed = await Promise.all(secrets.map((secret) => vault.seal(secret)));

  const later = await openSecretVault(file);

  expect(await Promise.all(sealed.map((each) => later.open(each)))).toEqual(secrets);
  expect(sealed.join(' ')).not.toContain('1234');
  expect(await vault.seal('sk-1234')).not.toBe(sealed[0]);
});

test('a changed secret, or one sealed with another key, cannot be opened', async () => {
  const vault = await openSecretVault(await temporaryKey());
  const other = await openSecretVault(await temporaryKey());
  const sealed = await vault.seal('secret');
  const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');

  expect(await vault.open(changed)).toBeUndefined();
  expect(await other.open(sealed)).toBeUndefined();
  expect(await vault.open('')).toBeUndefined();
  expect(await vault.open('v1.')).toBeUndefined();
  expect(await vault.open('v2.abc')).toBeUndefined();
});

test('vaults opened concurrently share one key', async () => {
  const file = await temporaryKey();
  const [first, second] = await Promise.all([openSecretVault(file), openSecretVault(file)]);

  expect(await second.open(await first.seal('secret'))).toBe('secret');
  expect((await readFile(file, 'utf8')).length).toBeGreaterThan(40);
});

test.skipIf(process.platform === 'win32')('a key that others may read is not used', async () => {
  const file = await temporaryKey();
  await openSecretVault(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  await chmod(file, 0o640);

  await expect(openSecretVault(file)).rejects.toMatchObject({ code: 'insecure-key' });
});

test('a file without a key is reported, and left unchanged', async () => {
  const file = await temporaryKey();
  await openSecretVault(file);
  await writeFile(file, 'not a key');

  await expect(openSecretVault(file)).rejects.toThrow('it does not contain a key of 32 bytes');
  expect(await readFile(file, 'utf8')).toBe('not a key');
});
