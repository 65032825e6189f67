import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/command.ts';
import { examineRules } from './examine-rules.ts';

test('doctor notes allow rules with a prefix of a program that has no list of safe commands, and no other rules', async () => {
  await using folder = await temporaryFolder();
  const env = { PARLEY_HOME: path.join(folder.path, 'home') };
  await mkdir(env.PARLEY_HOME);
  const rules = [
    { tool: 'execute', commandPrefix: 'git log', decision: 'allow' },
    { tool: 'execute', commandPrefix: 'my-tool build', decision: 'allow' },
    { tool: 'execute', commandPrefix: 'my-tool drop', decision: 'deny' },
    { tool: 'execute', command: 'my-tool build all', decision: 'allow' },
  ];
  await writeFile(
    path.join(env.PARLEY_HOME, 'config.json'),
    JSON.stringify({ permissions: { rules: [...rules, ...rules] } }),
  );

  const found = await examineRules(folder.path, env);

  expect(found).toMatchObject([{ level: 'note', topic: 'rules' }]);
  expect(found[0]?.message).toContain('commandPrefix "my-tool build"');
});

test('an unreadable configuration is not reported as a rule', async () => {
  await using folder = await temporaryFolder();
  await writeFile(path.join(folder.path, 'config.json'), '{');
  expect(await examineRules(folder.path, { PARLEY_HOME: folder.path })).toEqual([]);
});
