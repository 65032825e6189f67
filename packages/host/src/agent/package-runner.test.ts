import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isPackageRunner, startOf } from './package-runner.ts';

test.each<[string, readonly string[], boolean]>([
  ['npx', ['-y', 'an-agent'], true],
  ['/usr/bin/npx', ['an-agent@1.2.3', '--acp'], true],
  ['npx.cmd', ['an-agent'], true],
  ['npm', ['exec', 'an-agent'], true],
  ['npm', ['--silent', 'x', 'an-agent'], true],
  ['pnpm', ['dlx', 'an-agent'], true],
  ['npm', ['run', 'agent'], false],
  ['npx', ['./my-agent'], false],
  ['node', ['npx'], false],
])('%s %j runs a package: %s', (command, args, expected) => {
  expect(isPackageRunner(command, args)).toBe(expected);
});

test('a package runner starts outside of projects, and finds no program in one', async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'parley-runner-')));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const programs = join(cwd, 'node_modules', '.bin');
  await mkdir(programs, { recursive: true });
  await writeFile(join(programs, 'sh'), '');
  await chmod(join(programs, 'sh'), 0o755);
  const policy = { approve: { level: 'ask', given: false }, rules: [] } as const;
  const options = { onEvent: () => {}, policy, clientInfo: { name: 'test', version: '1' }, cwd };

  const { cwd: started, env } = await startOf({
    ...options,
    command: 'npx',
    args: ['an-agent'],
    env: { KEY: 'x', PATH: `${programs}:node_modules/.bin:/usr/bin` },
  });

  expect(started).toBe(parse(cwd).root);
  // All else is inherited, as ever.
  const names = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  expect(names.toSorted()).toEqual(['KEY', 'PATH']);
  expect(env['PATH']).not.toContain('node_modules');
  expect(await startOf({ ...options, command: 'node', args: ['a.js'] })).toEqual({ cwd, env: {} });
});
