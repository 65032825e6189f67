import { expect, test } from 'vitest';
import { commandOf, isSameCommand, toRuledCommand, variablesOf } from './command.ts';

test.each([
  [{ command: 'npm test' }, 'npm test'],
  [{ command: ' npm test\n' }, 'npm test'],
  [{ command: ['npm', 'test'] }, ['npm', 'test']],
  [{ command: 'npm', args: ['test'] }, ['npm', 'test']],
  [{ command: 'npm test', args: [] }, 'npm test'],
  [{ command: ['bash', '-lc', 'npm test && ls'] }, ['bash', '-lc', 'npm test && ls']],
  [{ command: '/bin/sh', args: ['-c', 'ls'] }, ['/bin/sh', '-c', 'ls']],
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

test.each([
  [['bash', '-lc', 'npm test && ls'], '/bin/bash', 'npm test && ls'],
  [['/bin/sh', '-c', 'ls'], '/bin/sh', 'ls'],
  [['sh', 'script.sh'], '/bin/sh', ['sh', 'script.sh']],
  ['npm test', '/bin/sh', 'npm test'],
])('%j is its line to rules only where a shell of the system runs it: %s', (command, found, expected) => {
  expect(toRuledCommand(command, { found, realPath: found, isOfProject: false })).toEqual(expected);
});

test.each([
  [['./tools/sh', '-c', 'git status'], '/project/tools/sh', false],
  [['sh', '-c', 'git status'], '/project/tools/sh', true],
  [['git', 'status'], '/project/tools/git', true],
])('%j goes by the path of the program where that is %s', (command, found, isOfProject) => {
  expect(toRuledCommand(command, { found, realPath: found, isOfProject })).toEqual([
    found,
    ...command.slice(1),
  ]);
});

test.each([
  [
    { command: 'ls', env: { PATH: './tools', N: 1 } },
    [
      ['PATH', './tools'],
      ['N', '1'],
    ],
  ],
  [{ command: 'ls', env: [{ name: 'PATH', value: './tools' }] }, [['PATH', './tools']]],
  [
    { command: 'ls', env: ['PATH=./tools', 'A=b=c'] },
    [
      ['PATH', './tools'],
      ['A', 'b=c'],
    ],
  ],
  [{ command: 'ls', environment: 'PATH' }, [['PATH', '']]],
  [{ command: 'ls' }, []],
])('in %j these variables are set', (input, variables) => {
  expect(variablesOf(input)).toEqual(variables.map(([name, value]) => ({ name, value })));
});

test('a line and a word list are the same command if a shell would only split the line', () => {
  expect(isSameCommand('npm test', 'npm test')).toBe(true);
  expect(isSameCommand('npm test', ['npm', 'test'])).toBe(true);
  expect(isSameCommand(['npm', 'run', 'a b'], "npm run 'a b'")).toBe(true);
  expect(isSameCommand(['npm', 'test'], ['npm', 'test'])).toBe(true);
});

test('similar commands are not the same', () => {
  expect(isSameCommand('npm test', ['npm test'])).toBe(false);
  expect(isSameCommand('echo $HOME', ['echo', '$HOME'])).toBe(false);
  expect(isSameCommand('npm test', 'npm test; rm x')).toBe(false);
  expect(isSameCommand(['a', 'b'], ['a', 'b', 'c'])).toBe(false);
});
