import { expect, test } from 'vitest';
import { examineNode } from './examine-machine.ts';

test.each([
  ['20.19.0', 'ok'],
  ['20.19.4', 'ok'],
  ['22.0.0', 'ok'],
  ['20.9.0', 'problem'],
  ['18.20.4', 'problem'],
])('Node %s is: %s', (version, level) => {
  expect(examineNode(version, '>=20.19').level).toBe(level);
});
