import { expect, test } from 'vitest';
import { examineStore } from './examine-store.ts';

test('without PARLEY_STORE there is nothing to say; a folder is ok; another address is a problem', async () => {
  expect(await examineStore({ cwd: '/work', env: {} })).toEqual([]);
  expect(await examineStore({ cwd: '/work', env: { PARLEY_STORE: 'sessions' } })).toEqual([
    { level: 'ok', topic: 'store', message: '/work/sessions' },
  ]);
  expect(await examineStore({ cwd: '/work', env: { PARLEY_STORE: 'postgres:nothing' } })).toMatchObject([
    { level: 'problem', topic: 'store' },
  ]);
});

test('a database that cannot be reached is a problem, and its password is not shown', async () => {
  const env = { PARLEY_STORE: 'postgres://ada:secret-word@127.0.0.1:1/sessions' };
  const findings = await examineStore({ cwd: '/work', env });

  expect(findings).toMatchObject([
    { level: 'problem', message: expect.stringContaining('ECONNREFUSED') as string },
    { level: 'note', message: expect.stringContaining('password') as string },
    { level: 'note', message: expect.stringContaining('PARLEY_SECRETS_KEY') as string },
  ]);
  expect(JSON.stringify(findings)).not.toContain('secret-word');
});
