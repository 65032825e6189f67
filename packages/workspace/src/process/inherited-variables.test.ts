import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { startProcess } from './start-process.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a process inherits all variables but the token of our own server', async () => {
  vi.stubEnv('PARLEY_TOKEN', 'secret-token');
  vi.stubEnv('PARLEY_OTHER', 'inherited');

  const variables = await variablesOf({});

  expect(variables['PARLEY_OTHER']).toBe('inherited');
  expect(variables).not.toHaveProperty('PARLEY_TOKEN');
});

test('a token that is given to a process by name reaches it', async () => {
  vi.stubEnv('PARLEY_TOKEN', 'secret-token');

  expect((await variablesOf({ PARLEY_TOKEN: 'of-another-server' }))['PARLEY_TOKEN']).toBe(
    'of-another-server',
  );
});

test('git takes no folder for a repository that only looks like one, besides the settings it was given', async () => {
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', 'user.name');
  vi.stubEnv('GIT_CONFIG_VALUE_0', 'A');

  expect(await variablesOf({})).toMatchObject({
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'user.name',
    GIT_CONFIG_KEY_1: 'safe.bareRepository',
    GIT_CONFIG_VALUE_1: 'explicit',
  });
});

test('what the user has said about that stays', async () => {
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', 'safe.barerepository');
  vi.stubEnv('GIT_CONFIG_VALUE_0', 'all');

  expect((await variablesOf({}))['GIT_CONFIG_COUNT']).toBe('1');
});

async function variablesOf(
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string | undefined>>> {
  const script = 'process.stdout.write(JSON.stringify(process.env))';
  const group = await startProcess({ command: process.execPath, args: ['-e', script], cwd: '/', env });
  group.stderr.resume();
  const output = await text(group.stdout);
  await group.end();
  return JSON.parse(output) as Record<string, string>;
}
