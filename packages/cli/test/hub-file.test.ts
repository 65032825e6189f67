import { stat, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { testCertificate } from '@parley/conformance';
import { expect, test } from 'vitest';
import { parley, temporaryFolder } from './command.ts';
import { hubFileIn, readHubFile, startTestHub } from './hub.ts';

test('hub.json has the address and a token of scope admin, for its owner only, while the server runs', async () => {
  await using folder = await temporaryFolder();
  await using hub = await startTestHub(folder.path);
  const { url, token, startedAt, pid } = hub.file;
  const mode = (await stat(hubFileIn(folder.path))).mode & 0o777;
  const status = async (): Promise<number> =>
    (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status;
  const tokens = await parley(['serve', 'tokens', 'list', '--json'], { cwd: folder.path });

  expect(Object.keys(hub.file)).toEqual(['url', 'pid', 'startedAt', 'token']);
  expect(mode).toBe(0o600);
  expect(new Date(startedAt).toISOString()).toBe(startedAt);
  expect(pid).toBeGreaterThan(0);
  expect(await status()).toBe(200);
  expect(JSON.parse(tokens.stdout)).toEqual({ tokens: [] });
  const { status: ended, stderr } = await hub.end();
  expect(ended).toBe(0);
  expect(stderr).not.toContain(token);
  await expect(stat(hubFileIn(folder.path))).rejects.toThrow('ENOENT');
});

test('a server replaces the file of a dead one, and removes only its own', async () => {
  await using folder = await temporaryFolder();
  await mkdir(path.join(folder.path, '.home'), { recursive: true });
  await writeFile(hubFileIn(folder.path), '{"stale": true}', { mode: 0o644 });
  await using first = await startTestHub(folder.path);
  expect((await stat(hubFileIn(folder.path))).mode & 0o777).toBe(0o600);
  await using second = await startTestHub(folder.path, ['--store', 'other']);

  expect(await readHubFile(folder.path)).toEqual(second.file);
  await first.end();
  expect(await readHubFile(folder.path)).toEqual(second.file);
  await second.end('SIGKILL');
  const { status, stderr } = await parley(['attach', '--format', 'json'], { cwd: folder.path });

  expect(status).toBe(1);
  expect(stderr).toContain('parley serve');
});

test('a server is found again when one that was started after it ends', async () => {
  await using folder = await temporaryFolder();
  await using first = await startTestHub(folder.path);
  await using second = await startTestHub(folder.path, ['--store', 'other']);

  await second.end();

  expect(await readHubFile(folder.path)).toEqual(first.file);
  expect((await stat(hubFileIn(folder.path))).mode & 0o777).toBe(0o600);
  await first.end();
  await expect(stat(hubFileIn(folder.path))).rejects.toThrow('ENOENT');
});

test('attach reaches a hub with its own certificate that listens on all addresses', async () => {
  await using folder = await temporaryFolder();
  await writeFile(path.join(folder.path, 'cert.pem'), testCertificate.cert);
  await writeFile(path.join(folder.path, 'key.pem'), testCertificate.key, { mode: 0o600 });
  const tls = ['--host', '0.0.0.0', '--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
  await using hub = await startTestHub(folder.path, tls);

  const { status, stdout, stderr } = await parley(
    ['attach', '--new', '--prompt', 'say: hello', '--format', 'quiet'],
    { cwd: folder.path },
  );

  expect(hub.file.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/u);
  expect(stderr).toBe('');
  expect(stdout).toBe('hello\n');
  expect(status).toBe(0);
});
