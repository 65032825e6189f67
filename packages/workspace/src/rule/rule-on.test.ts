import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layerRules } from './layer-rules.ts';
import { ruleOn } from './rule-on.ts';
import { ruleFault, ruleText, type Rule } from './rule.ts';
import type { Subject } from './subject.ts';

const cwd = '/project';

function decide(subject: Subject, ...rules: readonly Rule[]): string | undefined {
  return ruleOn(subject, rules, cwd)?.decision;
}

function edit(...paths: readonly string[]): Subject {
  return { kind: 'edit', tool: 'write', paths };
}

const fetching: Subject = { kind: 'fetch', tool: 'fetch', paths: [], host: 'example.com' };
const issue: Subject = { kind: 'other', tool: 'mcp__github__create_issue', paths: [] };

describe('tools', () => {
  test.each([
    ['mcp__github__create_issue', 'deny'],
    ['mcp__github__*', 'deny'],
    ['*', 'deny'],
    ['other', 'deny'],
    ['mcp__git', undefined],
    ['mcp__git*_issue', undefined],
  ])('a rule about %s, on a tool of a server: %s', (tool, expected) => {
    expect(decide(issue, { tool, decision: 'deny' })).toBe(expected);
  });

  test('a tool that takes the name of a kind is not meant by the kind', () => {
    const subject: Subject = { kind: 'execute', tool: 'read', paths: [] };
    expect(decide(subject, { tool: 'read', decision: 'allow' })).toBeUndefined();
  });

  test('a rule about commands of any tool leaves alone what is none', () => {
    const rule: Rule = { tool: '*', commandPrefix: 'rm', decision: 'deny' };
    expect(decide({ kind: 'read', paths: ['/project/a'] }, rule)).toBeUndefined();
    expect(decide({ kind: 'execute', paths: [] }, rule)).toBe('unclear');
    expect(decide({ kind: 'execute', command: 'rm a', paths: [] }, rule)).toBe('deny');
  });
});

describe('paths', () => {
  const allow = (path: string): Rule => ({ tool: 'edit', path, decision: 'allow' });
  const deny = (path: string): Rule => ({ tool: 'edit', path, decision: 'deny' });

  test('each path needs an allow, of one rule or another', () => {
    expect(decide(edit('/project/src/a', '/project/docs/b'), allow('src'))).toBeUndefined();
    expect(decide(edit('/project/src/a', '/project/docs/b'), allow('src'), allow('docs'))).toBe('allow');
    expect(decide(edit(), allow('src'))).toBeUndefined();
  });

  test('a deny on one path holds', () => {
    expect(decide(edit('/project/src/a', '/project/b.key'), allow('.'), deny('**/*.key'))).toBe('deny');
  });

  test('a glob denies what is in a folder, and allows only what it says', () => {
    expect(decide(edit('/project/a/secret/b'), deny('**/secret'))).toBe('deny');
    expect(decide(edit('/project/a/b'), allow('*'))).toBeUndefined();
  });

  test('a glob that means nothing allows nothing and denies all', () => {
    expect(decide(edit('/project/a'), allow('[a'))).toBeUndefined();
    expect(decide(edit('/project/a'), deny('[a'))).toBe('deny');
  });

  test('a rule about edits says nothing about deleting', () => {
    expect(decide({ kind: 'delete', paths: ['/project/src/a'] }, allow('src'))).toBeUndefined();
  });
});

describe('hosts', () => {
  test('a host is allowed with its usual ports, and denied with each', () => {
    const rule = { tool: 'fetch', host: 'example.com' } as const;
    const other = { ...fetching, host: 'example.com:8080' };
    expect(decide(fetching, { ...rule, decision: 'allow' })).toBe('allow');
    expect(decide(other, { ...rule, decision: 'allow' })).toBeUndefined();
    expect(decide(other, { ...rule, decision: 'deny' })).toBe('deny');
  });

  test('a host that is not shown may be one that is denied', () => {
    const subject: Subject = { kind: 'fetch', paths: [] };
    expect(decide(subject, { tool: 'fetch', host: 'example.com', decision: 'deny' })).toBe('unclear');
    expect(decide(subject, { tool: 'fetch', host: 'example.com', decision: 'allow' })).toBeUndefined();
  });
});

describe('agents', () => {
  const rule = { tool: 'edit', agent: 'codex' } as const;
  const by = (agent?: string): Subject => ({ ...edit('/project/a'), ...(agent !== undefined && { agent }) });

  test('a rule about an agent is about no other', () => {
    expect(decide(by('codex'), { ...rule, decision: 'allow' })).toBe('allow');
    expect(decide(by('other'), { ...rule, decision: 'allow' })).toBeUndefined();
    expect(decide(by('other'), { ...rule, decision: 'deny' })).toBeUndefined();
  });

  test('an agent whose name is not known, or given as the path of its command, is denied and not allowed', () => {
    for (const agent of [undefined, '/usr/bin/codex', String.raw`C:\bin\codex`]) {
      expect(decide(by(agent), { ...rule, decision: 'deny' })).toBe('deny');
      expect(decide(by(agent), { ...rule, decision: 'allow' })).toBeUndefined();
    }
  });
});

test('a change of files that names none may be one that is denied', () => {
  expect(decide(edit(), { tool: 'edit', path: 'secret', decision: 'deny' })).toBe('unclear');
  expect(decide(edit(), { tool: 'edit', path: 'secret', decision: 'ask' })).toBe('ask');
  expect(
    decide({ kind: 'search', paths: [] }, { tool: '*', path: 'secret', decision: 'deny' }),
  ).toBeUndefined();
});

test('those that decided are named, alone or together', () => {
  const src: Rule = { tool: 'edit', path: 'src', decision: 'allow' };
  const docs: Rule = { tool: 'edit', path: 'docs', decision: 'allow' };
  const other: Rule = { tool: 'edit', path: 'other', decision: 'ask' };
  expect(ruleOn(edit('/project/src/a'), [other, docs, src], cwd)?.rules).toEqual([src]);
  expect(ruleOn(edit('/project/src/a', '/project/docs/a'), [docs, src], cwd)?.rules).toEqual([docs, src]);
});

test('a rule is described in the words of the configuration', () => {
  expect(ruleText({ tool: 'execute', commandPrefix: 'git push', decision: 'ask' })).toBe(
    'the rule "ask execute commandPrefix "git push""',
  );
  expect(ruleText({ tool: 'fetch', host: '*.a.b', decision: 'deny' })).toBe(
    'the rule "deny fetch host "*.a.b""',
  );
});

test('a rule that cannot be meant is found out, with the field', () => {
  expect(ruleFault({ tool: 'edit', path: '{a', host: 'b' })).toMatchObject({ field: 'path' });
  expect(ruleFault({ tool: 'edit', host: 'b' })).toMatchObject({ field: 'host' });
  expect(ruleFault({ tool: '*', path: 'src/**' })).toBeUndefined();
});

describe('any rules', () => {
  const rules: fc.Arbitrary<Rule> = fc.record(
    {
      tool: fc.constantFrom('*', 'edit', 'execute', 'fetch', 'other', 'write', 'mcp__*'),
      decision: fc.constantFrom('allow', 'ask', 'deny'),
      path: fc.constantFrom('src', '*', '**/*.ts', '{src,docs}/**', '[', '/'),
      command: fc.constantFrom('git push', 'ls', '$X', 'git status && ls'),
      commandPrefix: fc.constantFrom('git', 'git push', 'ls'),
      host: fc.constantFrom('example.com', '*.com', 'other:1'),
      agent: fc.constantFrom('codex', 'other'),
    },
    { requiredKeys: ['tool', 'decision'] },
  );
  const subjects: fc.Arbitrary<Subject> = fc.oneof(
    fc
      .constantFrom('git push', 'ls', 'git status && ls', 'sudo git push', '$X', 'ls > a', '(')
      .map((command) => ({
        kind: 'execute',
        tool: 'run',
        command,
        paths: [],
      })),
    fc
      .subarray(['/project/src/a.ts', '/project/b', '/other/c.ts'])
      .map((paths) => ({ kind: 'edit', tool: 'write', paths })),
    fc.constantFrom(fetching, issue, { kind: 'fetch', paths: [] }, { paths: [] }),
  );
  const rank = (decision: string | undefined): number =>
    ['deny', 'unclear', 'ask', undefined, 'allow'].indexOf(decision);

  test('asking about exactly a command that may be denied does not hide that', () => {
    const deny: Rule = { tool: 'execute', commandPrefix: 'git', decision: 'deny' };
    const ask: Rule = { tool: 'execute', command: '$X', decision: 'ask' };
    expect(decide({ kind: 'execute', command: '$X', paths: [] }, deny, ask)).toBe('unclear');
  });

  test('one more deny or ask never widens', () => {
    fc.assert(
      fc.property(
        subjects,
        fc.array(rules),
        rules,
        fc.constantFrom('deny', 'ask'),
        (subject, given, rule, decision) => {
          const before = decide(subject, ...given);
          const after = decide(subject, ...given, { ...rule, decision });
          expect(rank(after)).toBeLessThanOrEqual(rank(before));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('the order of rules says nothing', () => {
    fc.assert(
      fc.property(subjects, fc.array(rules), (subject, given) => {
        expect(decide(subject, ...given.toReversed())).toBe(decide(subject, ...given));
      }),
    );
  });

  test('the rules of a project never widen those of the user', () => {
    fc.assert(
      fc.property(subjects, fc.array(rules), fc.array(rules), (subject, user, project) => {
        const both = decide(subject, ...layerRules(user, project));
        expect(rank(both)).toBeLessThanOrEqual(rank(decide(subject, ...user)));
      }),
      { numRuns: 1000 },
    );
  });
});

test('the rules of a project that would allow are left out, and each says whose it is', () => {
  const deny: Rule = { tool: 'edit', decision: 'deny' };
  const allow: Rule = { tool: 'edit', decision: 'allow' };
  expect(layerRules([allow], [allow, deny])).toEqual([
    { ...deny, origin: 'project' },
    { ...allow, origin: 'user' },
  ]);
});

describe.skipIf(process.platform === 'win32')('files that stand in a command', () => {
  const run = (command: string, directory?: string): Subject => ({
    kind: 'execute',
    command,
    paths: [],
    ...(directory !== undefined && { directory }),
  });
  const rule = (tool: string, decision: Rule['decision'] = 'deny'): Rule => ({
    tool,
    path: 'secret',
    decision,
  });
  const allow: Rule = { tool: 'execute', decision: 'allow' };

  test.each<[string, string, string | undefined]>([
    ['echo x > secret/a', 'edit', 'deny'],
    ['echo x > secret/a', 'read', 'allow'],
    ['sort < secret/a', 'read', 'deny'],
    ['sort < secret/a', 'edit', 'allow'],
    ['cat secret/a', 'read', 'unclear'],
    ['cat secret/a', 'edit', 'allow'],
    ['cp x secret/a', 'edit', 'unclear'],
    ['rm -rf secret', 'delete', 'unclear'],
    ['cat secret/*', 'search', 'unclear'],
    ['echo secret/a', 'edit', 'allow'],
    ['npm test', 'edit', 'allow'],
    ['cat <<EOF > other\nx\nEOF', 'edit', 'unclear'],
    ['cat secret/a', '*', 'unclear'],
    ['echo x > secret/a', '*', 'deny'],
    ['echo x > secret/a', 'execute', 'allow'],
    ['cd secret; rm a', 'edit', 'unclear'],
  ])('%j under a deny of %s: %s', (command, tool, expected) => {
    expect(decide(run(command), allow, rule(tool))).toBe(expected);
  });

  test('a rule that asks, asks about them', () => {
    expect(decide(run('echo x > secret/a'), allow, rule('edit', 'ask'))).toBe('ask');
    expect(decide(run('cp x secret/a'), allow, rule('edit', 'ask'))).toBe('ask');
  });

  test('a command that is allowed word by word is, unless a deny holds for certain', () => {
    const whole = (command: string): Rule => ({ tool: 'execute', command, decision: 'allow' });
    expect(decide(run('cat secret/a'), whole('cat secret/a'), rule('read'))).toBe('allow');
    expect(decide(run('echo x > secret/a'), whole('echo x > secret/a'), rule('edit'))).toBe('deny');
  });

  test('a command starts where the call says', () => {
    expect(decide(run('rm a', '/project/secret'), allow, rule('edit'))).toBe('unclear');
    expect(decide(run('echo x > a', '/project/secret'), allow, rule('edit'))).toBe('deny');
  });

  test('the rule that says so is named', () => {
    expect(ruleOn(run('echo x > secret/a'), [allow, rule('edit')], cwd)?.rules).toEqual([rule('edit')]);
  });
});

const allowGit: Rule = { tool: 'execute', commandPrefix: 'git status', decision: 'allow' };
const denyPush: Rule = { tool: 'execute', commandPrefix: 'git push', decision: 'deny' };

test.each<[readonly Rule[], readonly string[], string | undefined]>([
  [[allowGit], ['NO_COLOR'], 'allow'],
  [[allowGit], ['PATH'], undefined],
  [[{ tool: 'execute', command: 'git status', decision: 'allow' }], ['LD_PRELOAD'], undefined],
  [[{ tool: 'execute', decision: 'allow' }], ['GIT_CONFIG_COUNT'], undefined],
  [[allowGit, denyPush], ['PATH'], 'unclear'],
  [[denyPush], ['NO_COLOR'], undefined],
])('by %j, "git status" with %j is: %s', (rules, variables, decision) => {
  expect(decide({ kind: 'execute', command: 'git status', paths: [], variables }, ...rules)).toBe(decision);
});

test('a command with unknown variables that is denied by its words stays denied', () => {
  const subject: Subject = { kind: 'execute', command: 'git push', paths: [], variables: ['PATH'] };
  expect(decide(subject, denyPush)).toBe('deny');
});

test('what is outside is allowed only by a rule with a path', () => {
  const subject: Subject = { kind: 'read', paths: ['/etc/hosts'], outside: ['/etc/hosts'] };
  expect(decide(subject, { tool: 'read', decision: 'allow' })).toBeUndefined();
  expect(decide(subject, { tool: 'read', path: '/etc', decision: 'allow' })).toBe('allow');
  const command: Subject = { kind: 'execute', command: 'git status', paths: [], outside: ['/elsewhere'] };
  expect(decide(command, allowGit)).toBeUndefined();
});

test.each([
  ['.git/hooks', 'allow'],
  ['.git', 'allow'],
  ['.git/**', 'allow'],
  ['**', undefined],
  ['**/hooks/*', undefined],
  [undefined, undefined],
])('a protected file is allowed by the path %j: %s', (path, decision) => {
  const file = '/project/.git/hooks/pre-commit';
  const rule: Rule = { tool: 'edit', decision: 'allow', ...(path !== undefined && { path }) };
  expect(decide({ kind: 'edit', paths: [file], protected: [file] }, rule)).toBe(decision);
});

test('a rule about a whole command allows the protected files that stand in it', () => {
  const command = 'echo x > .env';
  const subject: Subject = { kind: 'execute', command, paths: [], protected: ['/project/.env'] };
  expect(decide(subject, { tool: 'execute', command, decision: 'allow' })).toBe('allow');
  expect(decide(subject, { tool: 'execute', decision: 'allow' })).toBeUndefined();
});

test('a rule that denies or asks about a kind that a call claims besides holds, one that allows does not', () => {
  const subject: Subject = { kind: 'execute', otherKinds: ['edit'], command: 'x', paths: ['/project/a'] };
  expect(decide(subject, { tool: 'edit', path: 'a', decision: 'deny' })).toBe('deny');
  expect(decide(subject, { tool: 'edit', path: 'a', decision: 'ask' })).toBe('ask');
  expect(decide(subject, { tool: 'edit', decision: 'allow' })).toBeUndefined();
});
