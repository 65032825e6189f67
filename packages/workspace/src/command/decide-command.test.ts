import { describe, expect, test } from 'vitest';
import type { Command } from './command.ts';
import { type CommandDecision, type DecidingRule, decideCommand, matchesCommand } from './decide-command.ts';

describe('a prefix covers', () => {
  const rule = { commandPrefix: 'npm test' };

  test.each<Command>([
    'npm test',
    'npm test -- --watch src/*.ts',
    'CI=1 LC_ALL=C npm test',
    'timeout -k 5 60 npm test',
    'nice -n 5 env CI=1 npm test',
    `'npm' "test"`,
    'npm  \\\ntest',
    'npm test && npm test a | npm test b',
    'npm test 2>&1 2>/dev/null',
    ['npm', 'test'],
    ['npm', 'test', '; rm'],
    ['bash', '-lc', 'npm test; npm test'],
    "sh -c 'npm test'",
    '/bin/sh -c "sh -c \'npm test\'"',
  ])('%j', (command) => {
    expect(matchesCommand(rule, command)).toBe(true);
    expect(decideCommand([{ ...rule, decision: 'allow' }], command)).toBe('allow');
  });
});

describe('a prefix does not cover', () => {
  const rule = { commandPrefix: 'npm test' };

  test.each<Command>([
    '',
    '# npm test',
    'npm',
    'npm tests',
    'npm "test x"',
    'npmtest',
    'npm run test',
    'npm $X',
    'npm te*',
    'sudo npm test',
    '/usr/bin/npm test',
    'npm test; rm x',
    'npm test & rm x',
    'npm test\nrm x',
    'npm test | tee x',
    'npm test $(rm x)',
    'npm test "`rm x`"',
    'npm test <(rm x)',
    'npm test > file',
    'npm test 2>> file',
    '{ npm test; } > file',
    'PATH=/tmp npm test',
    'PATH=/tmp; npm test',
    'npm test << EOF',
    'if npm test; then npm test; fi',
    ['npm test'],
    ['npm'],
    [],
    ['bash', '-lc', 'npm test; rm x'],
    ['bash', '-lc', 'npm test > x'],
    ['bash', '-lc', 'npm test', 'x'],
    ['bash', '-x', 'npm test'],
    ['./bash', '-c', 'npm test'],
    ['zsh', '-c', 'npm test'],
    'X=1 sh -c "npm test"',
    'sh -c "npm test" > file',
    'sh -c "npm test $X"',
    'npm test -- --watch "$X"',
    'npm test "$(npm test)"',
    'npm test --script-shell=./x',
    'npm test -- --config=x',
    'env PATH=. npm test',
    'env -S "npm test"',
    'timeout -Z 5 npm test',
    'nohup npm test',
    './timeout 5 npm test',
    'command -v npm test',
    './tools/sh -c "npm test"',
  ])('%j', (command) => {
    expect(matchesCommand(rule, command)).toBe(false);
    expect(decideCommand([{ ...rule, decision: 'allow' }], command)).toBeUndefined();
  });
});

test('a whole command is compared exactly, whether it can be judged or not', () => {
  const rule = { command: 'for i in 1 2; do npm test; done > log' };
  expect(matchesCommand(rule, rule.command)).toBe(true);
  expect(matchesCommand(rule, `${rule.command} `)).toBe(false);
  expect(matchesCommand(rule, ['bash', '-lc', rule.command])).toBe(true);
  expect(matchesCommand({ command: 'npm test' }, ['npm', 'test'])).toBe(true);
  expect(matchesCommand({ command: `npm 'a b'` }, ['npm', 'a b'])).toBe(true);
  expect(matchesCommand({ command: 'npm a b' }, ['npm', 'a b'])).toBe(false);
  expect(matchesCommand({ command: 'npm test' }, ['npm', 'test', 'x'])).toBe(false);
  expect(matchesCommand({ command: 'npm test; a' }, ['npm', 'test;', 'a'])).toBe(false);
});

test('an empty prefix covers nothing, a rule about no command covers each', () => {
  expect(matchesCommand({ commandPrefix: '' }, 'a')).toBe(false);
  expect(matchesCommand({ commandPrefix: '  ' }, 'a')).toBe(false);
  expect(matchesCommand({}, 'for x')).toBe(true);
});

test('a prefix that is no plain command is taken by its words', () => {
  expect(matchesCommand({ commandPrefix: 'echo $X' }, "echo '$X' more")).toBe(true);
  expect(matchesCommand({ commandPrefix: 'echo $X' }, 'echo $X')).toBe(false);
  expect(matchesCommand({ commandPrefix: 'a && b' }, 'a && b')).toBe(false);
});

describe('rules together', () => {
  const rules: readonly DecidingRule[] = [
    { commandPrefix: 'git', decision: 'allow' },
    { commandPrefix: 'npm', decision: 'allow' },
    { commandPrefix: 'npm publish', decision: 'ask' },
    { commandPrefix: 'git push', decision: 'deny' },
    { command: 'git $X', decision: 'allow' },
    { command: 'git push; true', decision: 'allow' },
  ];

  test.each<[Command, string | undefined]>([
    ['git status && npm test', 'allow'],
    ['git status && ls', undefined],
    ['ls', undefined],
    ['npm publish', 'ask'],
    ['npm publish; ls', 'ask'],
    ['npm $X', 'ask'],
    ['git push', 'deny'],
    ['git push > log', 'deny'],
    ['X=1 git push', 'deny'],
    ['ls; git push', 'deny'],
    ['git log $(git push)', 'deny'],
    ["sh -c 'git push'", 'deny'],
    [['git', 'push'], 'deny'],
    ['git push; true', 'deny'],
    ['git $Y', 'unclear'],
    ['git $X', 'allow'],
    ['sudo git push', 'deny'],
    ['sudo --unknown git push', 'unclear'],
    ['/usr/bin/git push', 'deny'],
    ['find . -exec git push {} +', 'deny'],
    ['for i in 1; do git push; done', 'unclear'],
    ["sh -c 'for i in 1; do git push; done'", 'unclear'],
    ['npm "git push"', 'unclear'],
    ['npm run git push', 'unclear'],
    ['npm run git', 'allow'],
    ['git commit -m "do not git push"', undefined],
    ['git log --grep "git push"', 'allow'],
    ['sudo -n timeout 5 git push', 'deny'],
    ['sudo ls', undefined],
    ['X=1 sh -c "git push"', 'deny'],
    ["sudo sh -c 'git push'", 'deny'],
    ['sh -c "$X"', 'unclear'],
    ["sh -xc 'git status'", undefined],
    ["sh -xc 'git push'", 'deny'],
    ["fish -c 'git status'", 'unclear'],
    ['bash script.sh', undefined],
    ['timeout 5 npm publish', 'ask'],
    ['sudo $X', 'unclear'],
    [Array.from({ length: 5000 }, () => 'sudo'), 'unclear'],
  ])('on %j decide %s', (command, decision) => {
    expect(decideCommand(rules, command)).toBe(decision);
  });

  test.each<[Command, CommandDecision]>([
    ['git push origin', 'deny'],
    ['git  push "origin"', 'deny'],
    ['/usr/bin/git push origin', 'deny'],
    ['env A=1 git push origin', 'deny'],
    ["sh -c 'git push origin'", 'deny'],
    ['git status && git push origin', 'deny'],
    ['git -C /a push origin', 'deny'],
    ['echo $(git push origin)', 'deny'],
    [['git', 'push', 'origin'], 'deny'],
    ['git push origin main', 'allow'],
    ['git push', 'allow'],
    ['git push $REMOTE', 'unclear'],
    [`node -e 'run("git push origin")'`, 'unclear'],
  ])('a deny of a whole command holds where it is a part: %j', (command, decision) => {
    const allowAll: DecidingRule = { decision: 'allow' };
    const deny: DecidingRule = { command: 'git push origin', decision: 'deny' };
    expect(decideCommand([allowAll, deny], command)).toBe(decision);
  });

  test('are of no account in their order', () => {
    for (const command of ['git push', 'npm publish', 'git status', 'git $X']) {
      expect(decideCommand(rules.toReversed(), command)).toBe(decideCommand(rules, command));
    }
  });

  test('about each command hold where nothing is more particular', () => {
    const allowAll: DecidingRule = { decision: 'allow' };
    expect(decideCommand([allowAll], 'for x')).toBe('allow');
    expect(decideCommand([allowAll, { commandPrefix: 'git push', decision: 'deny' }], 'for x')).toBe(
      'unclear',
    );
    expect(decideCommand([allowAll, { commandPrefix: 'git push', decision: 'ask' }], 'a; git push')).toBe(
      'ask',
    );
    expect(decideCommand([allowAll, { commandPrefix: 'git push', decision: 'ask' }], 'for x')).toBe('ask');
    expect(decideCommand([allowAll, { decision: 'ask' }], 'a')).toBe('ask');
    expect(decideCommand([allowAll, { decision: 'deny' }], 'a')).toBe('deny');
    expect(decideCommand([{ decision: 'deny' }, { command: 'a', decision: 'allow' }], 'a')).toBe('deny');
    expect(decideCommand([{ decision: 'ask' }, { command: 'a', decision: 'allow' }], 'a')).toBe('allow');
    expect(decideCommand([], 'a')).toBeUndefined();
  });
});
