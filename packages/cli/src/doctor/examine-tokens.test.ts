import { chmod, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tokenFile } from '@parley/gateway';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/command.ts';
import { servedFolder, tokensFile } from '../configuration/places.ts';
import { examineTokens } from './examine-tokens.ts';

test('doctor notes a named admin token that never expires, and no other token', async () => {
  await using folder = await temporaryFolder();
  const env = { PARLEY_HOME: folder.path };
  expect(await examineTokens(env)).toEqual([{ level: 'ok', topic: 'tokens', message: 'no named tokens' }]);

  const tokens = tokenFile(tokensFile(env));
  await tokens.add({ name: 'editor', scope: 'use' });
  await tokens.add({ name: 'laptop', scope: 'admin', lifetimeMs: 3_600_000 });
  await tokens.add({ name: 'robot', scope: 'admin' });

  const [known, ...others] = await examineTokens(env);
  expect(known).toMatchObject({
    level: 'ok',
    message: expect.stringMatching(
      /^editor \(use\), laptop \(admin, until [\d-]{10}\), robot \(admin\)$/u,
    ) as string,
  });
  expect(others).toMatchObject([
    { level: 'note', topic: 'tokens', advice: expect.stringContaining('tokens revoke robot') as string },
  ]);
});

test.skipIf(process.platform === 'win32')(
  'files of tokens and of browsers that others can read, or that are links, are problems',
  async () => {
    await using folder = await temporaryFolder();
    const env = { PARLEY_HOME: folder.path };
    const browsers = path.join(servedFolder(env), 'browsers.json');
    const text = JSON.stringify({ version: 1, entries: [] });
    await mkdir(servedFolder(env), { recursive: true });
    await writeFile(tokensFile(env), text, { mode: 0o600 });
    await writeFile(browsers, text, { mode: 0o600 });
    expect(await examineTokens(env)).toMatchObject([{ level: 'ok', topic: 'tokens' }]);

    await chmod(tokensFile(env), 0o644);
    await rename(browsers, path.join(folder.path, 'elsewhere.json'));
    await symlink(path.join(folder.path, 'elsewhere.json'), browsers);

    expect(await examineTokens(env)).toMatchObject([
      { level: 'problem', topic: 'tokens', message: expect.stringContaining(tokensFile(env)) as string },
      { level: 'problem', topic: 'browsers', message: expect.stringContaining(browsers) as string },
    ]);
  },
);
