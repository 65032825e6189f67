import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parley } from './command.ts';

test('--version is the version of the package', async () => {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  expect((await parley(['--version'])).stdout).toBe(`${manifest.version}\n`);
});

test.each([[['--help']], [['help']]])('%j lists the commands there are, and no other', async (words) => {
  const { status, stdout } = await parley(words);
  expect(status).toBe(0);
  const [commands = ''] = stdout.split('Get started:');
  expect([...commands.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name)).toEqual([
    'serve',
    'run',
    'race',
    'chat',
    'attach',
    'permissions',
    'agent',
    'sessions',
    'changes',
    'worktrees',
    'agents',
    'models',
    'replay',
    'inspect',
    'proxy',
    'check',
    'doctor',
    'completion',
    'help',
  ]);
});

test('each command has its help', async () => {
  for (const words of [
    ['run', '--help'],
    ['help', 'run'],
  ]) {
    const { status, stdout } = await parley(words);
    expect(status).toBe(0);
    expect(stdout).toContain('--idle-timeout');
    expect(stdout).toContain('Exit status');
  }
  expect((await parley(['agent', '--help'])).stdout).toContain('--dialect');
  expect((await parley(['chat', '--help'])).stdout).toContain('--mode');
});

test('a missing command is wrong usage and shows the help; an unknown one is reported in one line', async () => {
  const none = await parley([]);
  expect(none.status).toBe(2);
  expect(none.stderr).toContain('Usage: parley');
  const unknown = await parley(['rnu']);
  expect(unknown.status).toBe(2);
  expect(unknown.stderr).toMatch(/^parley: unknown command 'rnu' .*see parley --help\n$/);
});

test.each([
  [['help', 'nope'], "parley: unknown command 'nope'; see parley --help\n"],
  [['sessions', 'help', 'nope'], "parley: unknown command 'nope'; see parley sessions --help\n"],
  [
    ['serve', 'tokens'],
    'parley: serve tokens: expected one of its commands; see parley serve tokens --help\n',
  ],
])('%j names what is wrong and the help to read', async (words, stderr) => {
  expect(await parley(words)).toEqual({ status: 2, stdout: '', stderr });
});
