import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/command.ts';
import { examineMachine, examineNode } from './examine-machine.ts';

test.each([
  ['20.19.0', 'ok'],
  ['20.19.4', 'ok'],
  ['22.0.0', 'ok'],
  ['20.9.0', 'problem'],
  ['18.20.4', 'problem'],
])('Node %s is: %s', (version, level) => {
  expect(examineNode(version, '>=20.19').level).toBe(level);
});

test('programs are found without a home folder, as in containers', async () => {
  await using folder = await temporaryFolder();
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, `${folder.path}/missing`);
  const { PATH } = process.env;
  const findings = await examineMachine(folder.path, { PATH, PARLEY_HOME: folder.path });
  expect(findings).toContainEqual(expect.objectContaining({ topic: 'ripgrep', level: 'ok' }));
  expect(findings).toContainEqual(expect.objectContaining({ topic: 'git', level: 'ok' }));
});
