import { expect, test } from 'vitest';
import { commandOf, isSameCommand } from './command.ts';

test.each([
  [{ command: 'npm test' }, 'npm test'],
  [{ command: ' npm test\n' }, 'npm test'],
  [{ command: ['npm', 'test'] }, ['npm', 'test']],
  [{ command: 'npm', args: ['test'] }, ['npm', 'test']],
  [{ command: 'npm test', args: [] }, 'npm test'],
  [{ command: ['bash', '-lc', 'npm test && ls'] }, 'npm test && ls'],
  [{ command: '/bin/sh', args: ['-c', 'ls'] }, 'ls'],
  [{ command: ['./tools/sh', '-c', 'git status'] }, ['./tools/sh', '-c', 'git status']],
  [{ command: '/tmp/bash', args: ['-lc', 'ls'] }, ['/tmp/bash', '-lc', 'ls']],
  [{ command: ['bash', 'script.sh'] }, ['bash', 'script.sh']],
  [{ command: '' }, undefined],
  [{ command: 7 }, undefined],
  [{ command: [] }, undefined],
  [{}, undefined],
  [undefined, undefined],
])('in %j the command is %j', (input, command) => {
  expect(commandOf(input)).toEqual(command);
});

test('a line and words are the same command when a shell would do nothing but split the line', () => {
  expect(isSameCommand('npm test', 'npm test')).toBe(true);
  expect(isSameCommand('npm test', ['npm', 'test'])).toBe(true);
  expect(isSameCommand(['npm', 'run', 'a b'], "npm run 'a b'")).toBe(true);
  expect(isSameCommand(['npm', 'test'], ['npm', 'test'])).toBe(true);
});

test('commands that only look alike are not the same', () => {
  expect(isSameCommand('npm test', ['npm test'])).toBe(false);
  expect(isSameCommand('echo $HOME', ['echo', '$HOME'])).toBe(false);
  expect(isSameCommand('npm test', 'npm test; rm x')).toBe(false);
  expect(isSameCommand(['a', 'b'], ['a', 'b', 'c'])).toBe(false);
});
