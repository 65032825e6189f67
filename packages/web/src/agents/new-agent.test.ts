import { expect, test } from 'vitest';
import { toNewAgent } from './new-agent.ts';

test('arguments and variables are one per line, and keep spaces and equals signs', () => {
  const typed = {
    name: ' mine ',
    command: ' node ',
    args: 'agent.mjs\n--say=a b\n\n',
    env: 'KEY=a=b\nEMPTY=\n',
  };
  expect(toNewAgent(typed)).toEqual({
    name: 'mine',
    command: 'node',
    args: ['agent.mjs', '--say=a b'],
    env: { KEY: 'a=b', EMPTY: '' },
  });
});

test('a line without a name and an equals sign is not a variable', () => {
  expect(toNewAgent({ name: 'a', command: 'b', args: '', env: 'just words' })).toBeUndefined();
});
