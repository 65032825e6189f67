import type { Rule } from '@parley/workspace';
import type { ConfiguredRule } from '@parley/workspace/rule';
import { expect, test } from 'vitest';
import { decide } from './decide.ts';
import type { ApprovalLevel, Policy } from './policy.ts';
import type { StoredAnswerRule } from './remembered/stored-answer.ts';
import type { PermissionSubject } from './request/permission-subject.ts';

const cwd = '/project';

function policy(level: ApprovalLevel, given: boolean, ...rules: readonly Rule[]): Policy {
  return { approve: { level, given }, rules };
}

function run(command: string | readonly string[]): PermissionSubject {
  return { kind: 'execute', command, paths: [] };
}

const allowTest: Rule = { tool: 'execute', command: 'npm test', decision: 'allow' };
const allowNpm: Rule = { tool: 'execute', commandPrefix: 'npm run', decision: 'allow' };
const allowTests: Rule = { tool: 'execute', commandPrefix: 'npm test', decision: 'allow' };
const allowAny: Rule = { tool: 'execute', decision: 'allow' };
const denyRm: Rule = { tool: 'execute', commandPrefix: 'rm', decision: 'deny' };

test.each([
  ['reads', 'read', 'allow'],
  ['reads', 'search', 'allow'],
  ['reads', 'think', 'allow'],
  ['reads', 'edit', 'ask'],
  ['reads', 'fetch', 'ask'],
  ['edits', 'edit', 'allow'],
  ['edits', 'move', 'allow'],
  ['edits', 'delete', 'allow'],
  ['edits', 'read', 'allow'],
  ['edits', 'execute', 'ask'],
  ['edits', undefined, 'ask'],
  ['reads', 'other', 'ask'],
  ['all', undefined, 'allow'],
  ['all', 'execute', 'allow'],
  ['none', 'read', 'reject'],
  ['ask', 'read', 'ask'],
] as const)('the level %s means for a call of kind %s: %s', (level, kind, decision) => {
  const subject: PermissionSubject = { ...(kind !== undefined && { kind }), paths: [] };

  expect(decide(subject, policy(level, true), cwd)).toMatchObject({ decision, by: 'flag' });
});

test('a deny rule overrides the approval level', () => {
  expect(decide(run('rm -rf x'), policy('all', true, denyRm), cwd)).toMatchObject({
    decision: 'reject',
    by: 'rule',
  });
});

test('a deny rule overrides an allow rule', () => {
  expect(decide(run('rm x'), policy('reads', false, allowAny, denyRm), cwd)).toMatchObject({
    decision: 'reject',
  });
});

test('a given level overrides the rules', () => {
  const ask: Rule = { tool: 'edit', decision: 'ask' };
  const edit: PermissionSubject = { kind: 'edit', paths: [] };

  expect(decide(edit, policy('edits', true, ask), cwd)).toMatchObject({ decision: 'allow', by: 'flag' });
  expect(decide(run('npm test'), policy('reads', true, allowTest), cwd)).toMatchObject({ decision: 'ask' });
  expect(decide(run('npm test'), policy('none', true, allowTest), cwd)).toMatchObject({ decision: 'reject' });
});

test('the rules override the default level', () => {
  const ask: Rule = { tool: 'read', decision: 'ask' };

  expect(decide({ kind: 'read', paths: [] }, policy('reads', false, ask), cwd)).toMatchObject({
    decision: 'ask',
  });
  expect(decide(run('npm test'), policy('reads', false, allowTest), cwd)).toMatchObject({
    decision: 'allow',
    by: 'rule',
  });
});

test('a rule that asks overrides one that allows', () => {
  const ask: Rule = { tool: 'execute', commandPrefix: 'npm publish', decision: 'ask' };

  expect(decide(run('npm publish'), policy('reads', false, allowAny, ask), cwd)).toMatchObject({
    decision: 'ask',
  });
});

test.each(['npm test', ['npm', 'test']])('the rule for "npm test" allows %j', (command) => {
  expect(decide(run(command), policy('reads', false, allowTest), cwd)).toMatchObject({ decision: 'allow' });
});

test.each([
  'npm test --watch',
  'npm',
  'npm test && git push',
  'npm test $(git push)',
  'npm test > /project/report',
  'NODE_OPTIONS=--require=./x.js npm test',
  ['npm test'],
  '/tmp/npm test',
])('the rule for "npm test" does not allow %j', (command) => {
  expect(decide(run(command), policy('reads', false, allowTest), cwd)).toMatchObject({ decision: 'ask' });
});

test('each part of a command needs its own allow', () => {
  const rules = policy('reads', false, allowTests, allowNpm);

  expect(decide(run('npm test && npm run lint -- --quiet'), rules, cwd)).toMatchObject({ decision: 'allow' });
  expect(decide(run('npm test | tee log'), rules, cwd)).toMatchObject({ decision: 'ask' });
});

test('a prefix is one of whole words', () => {
  const rules = policy('reads', false, allowNpm);

  expect(decide(run('npm run build'), rules, cwd)).toMatchObject({ decision: 'allow' });
  expect(decide(run('npm runaway'), rules, cwd)).toMatchObject({ decision: 'ask' });
});

test.each(['ls && rm x', 'ls | xargs -n1 echo; rm x', 'echo $(rm x)', 'sh -c "rm x"'])(
  'a deny holds for any part: %s',
  (command) => {
    expect(decide(run(command), policy('all', true, denyRm), cwd)).toMatchObject({
      decision: 'reject',
      by: 'rule',
    });
  },
);

test('a command that cannot be judged is asked about if a deny rule might apply', () => {
  expect(decide(run('$TOOL x'), policy('all', true, denyRm), cwd)).toMatchObject({
    decision: 'ask',
    by: 'rule',
  });
  expect(decide({ kind: 'execute', paths: [] }, policy('all', true, denyRm), cwd)).toMatchObject({
    decision: 'ask',
  });
  expect(decide(run('sudo --unknown rm x'), policy('all', true, denyRm), cwd)).toMatchObject({
    decision: 'ask',
  });
  expect(decide(run('$TOOL x'), policy('all', true), cwd)).toMatchObject({ decision: 'allow' });
});

test.each(['/bin/rm x', 'sudo rm x', "bash -lc 'rm x'"])('a deny of "rm" also denies %j', (command) => {
  expect(decide(run(command), policy('all', true, denyRm), cwd)).toMatchObject({
    decision: 'reject',
    by: 'rule',
  });
});

test('where no user can be asked, a call that may be denied and cannot be judged is rejected', () => {
  const remote: Policy = { ...policy('ask', true, denyRm), unclear: 'reject' };

  expect(decide(run('$TOOL x'), remote, cwd)).toMatchObject({
    decision: 'reject',
    by: 'rule',
    reason: expect.stringContaining('may apply') as string,
  });
  expect(decide(run('ls'), remote, cwd)).toMatchObject({ decision: 'ask' });
});

test('a call that shows a command is judged by the rules for commands, regardless of its kind', () => {
  const subject: PermissionSubject = { kind: 'read', command: 'rm x', paths: [] };

  expect(decide(subject, policy('reads', true, denyRm), cwd)).toMatchObject({ decision: 'reject' });
});

test('an opaque call is allowed by no rule, and by the level "all" alone', () => {
  const subject: PermissionSubject = { kind: 'execute', paths: [], isOpaque: true };

  expect(decide(subject, policy('reads', false, allowAny), cwd)).toMatchObject({
    decision: 'ask',
    reason: expect.stringContaining('opaque') as string,
  });
  expect(decide(subject, policy('all', true), cwd)).toMatchObject({ decision: 'allow', by: 'flag' });
  expect(decide(subject, policy('edits', true), cwd)).toMatchObject({ decision: 'ask' });
});

test('a reason is also returned in parts, for other languages', () => {
  const ask: ConfiguredRule = { tool: 'execute', decision: 'ask', origin: 'project' };

  expect(decide({ kind: 'edit', paths: [] }, policy('reads', false), cwd).because).toEqual({
    code: 'level',
    level: 'reads',
    kind: 'edit',
  });
  expect(decide({ paths: [] }, policy('reads', false), cwd).because).toEqual({
    code: 'level',
    level: 'reads',
  });
  const opaque: PermissionSubject = { kind: 'execute', paths: [], isOpaque: true };
  expect(decide(opaque, policy('reads', false, allowAny), cwd).because).toEqual({ code: 'opaque' });
  expect(decide(run('npm test'), policy('reads', false, ask), cwd).because).toEqual({
    code: 'rules',
    rules: [ask],
  });
  const denied = decide(run('$TOOL x'), policy('all', true), cwd, [answer(denyRm)]);
  expect(denied.because).toEqual({
    code: 'rules',
    rules: [{ ...denyRm, origin: 'answer', scope: 'user' }],
    isUnclear: true,
  });
  expect(decide({ kind: 'read', paths: [] }, policy('reads', false), cwd).because).toEqual({
    code: 'level',
    level: 'reads',
    kind: 'read',
    isCovered: true,
  });
  expect(decide({ paths: [] }, policy('none', true), cwd).because).toEqual({ code: 'level', level: 'none' });
  expect(decide(run('rm x'), policy('all', true, denyRm), cwd).because).toEqual({
    code: 'rules',
    rules: [denyRm],
  });
});

test('a reason says whose rule it is', () => {
  const deny = { tool: 'read', path: 'secret', decision: 'deny' } as const;
  const read: PermissionSubject = { kind: 'read', paths: ['/project/secret'] };
  const reasonBy = (rule: ConfiguredRule): string => decide(read, policy('all', true, rule), cwd).reason;

  expect(reasonBy({ ...deny, origin: 'user' })).toBe('your rule "deny read path "secret"" applies');
  expect(reasonBy({ ...deny, origin: 'project' })).toBe(
    `the project's rule "deny read path "secret"" applies`,
  );
  expect(reasonBy(deny)).toBe('the rule "deny read path "secret"" applies');
});

test('a path rule denies if one file matches, and allows only if all do', () => {
  const deny: Rule = { tool: 'edit', path: 'secret', decision: 'deny' };
  const allow: Rule = { tool: 'edit', path: 'src', decision: 'allow' };
  const edit = (...paths: readonly string[]): PermissionSubject => ({ kind: 'edit', paths });

  expect(decide(edit('/project/src/a', '/project/secret/b'), policy('all', true, deny), cwd).decision).toBe(
    'reject',
  );
  expect(decide(edit('/project/secrets'), policy('all', true, deny), cwd).decision).toBe('allow');
  expect(decide(edit('/project/src/a'), policy('reads', false, allow), cwd).decision).toBe('allow');
  expect(decide(edit('/project/src/a', '/project/b'), policy('reads', false, allow), cwd).decision).toBe(
    'ask',
  );
  expect(decide(edit(), policy('reads', false, allow), cwd).decision).toBe('ask');
});

function answer(rule: Rule, { answersRule = false, isFresh = false } = {}): StoredAnswerRule {
  const time = '2026-01-01T00:00:00.000Z';
  return {
    ...rule,
    origin: 'answer',
    isFresh,
    answer: { id: 'ab12', scope: 'user', rule, answersRule, time },
  };
}

test('a remembered answer replaces the question, by `person`', () => {
  expect(decide(run('npm test'), policy('ask', false), cwd, [answer(allowTest)])).toEqual({
    decision: 'allow',
    by: 'person',
    reason: 'your answer "allow execute command "npm test"" everywhere (ab12) applies',
    because: { code: 'rules', rules: [{ ...allowTest, origin: 'answer', scope: 'user' }] },
  });
});

test('an answer covers a rule that asks only if that rule asked', () => {
  const asking = policy('ask', false, { tool: 'execute', decision: 'ask' });

  expect(decide(run('npm test'), asking, cwd, [answer(allowTests)]).decision).toBe('ask');
  expect(decide(run('npm test'), asking, cwd, [answer(allowTests, { answersRule: true })]).decision).toBe(
    'allow',
  );
});

test('a given level overrides earlier answers, and "none" also later ones', () => {
  const fresh = [answer(allowTest, { isFresh: true })];

  expect(decide(run('npm test'), policy('reads', true), cwd, [answer(allowTest)]).decision).toBe('ask');
  expect(decide(run('npm test'), policy('reads', true), cwd, fresh).decision).toBe('allow');
  expect(decide(run('npm test'), policy('none', true), cwd, fresh).decision).toBe('reject');
});

test('no answer bypasses a deny, a possible deny, or an opaque call', () => {
  const answers = [answer(allowAny, { answersRule: true, isFresh: true })];

  expect(decide(run('rm x'), policy('ask', false, denyRm), cwd, answers)).toMatchObject({
    decision: 'reject',
    by: 'rule',
  });
  expect(decide(run('$TOOL x'), policy('ask', false, denyRm), cwd, answers).decision).toBe('ask');
  expect(
    decide({ kind: 'execute', paths: [], isOpaque: true }, policy('ask', false), cwd, answers).decision,
  ).toBe('ask');
});

test('an answer that denies overrides everything, by `person`', () => {
  expect(decide(run('rm x'), policy('all', true, allowAny), cwd, [answer(denyRm)])).toMatchObject({
    decision: 'reject',
    by: 'person',
  });
});

test.skipIf(process.platform === 'win32')(
  'a denied file is denied to a command too, at any given level',
  () => {
    const denied: Rule = { tool: 'edit', path: 'secret', decision: 'deny' };
    const all = policy('all', true, denied);

    expect(decide(run('echo x > secret/a'), all, cwd)).toMatchObject({ decision: 'reject', by: 'rule' });
    expect(decide(run('cp x secret/a'), all, cwd)).toMatchObject({
      decision: 'ask',
      reason: expect.stringContaining('may apply') as string,
    });
    expect(decide(run('cat secret/a'), all, cwd)).toMatchObject({ decision: 'allow' });
  },
);

/** A policy where the sandbox holds the agent and "sandbox.autoApprove" is on. */
function sandboxed(level: ApprovalLevel, given: boolean, ...rules: readonly Rule[]): Policy {
  return { ...policy(level, given, ...rules), sandboxed: 'workspace' };
}

test.each([
  ['reads', false],
  ['reads', true],
  ['edits', true],
  ['ask', false],
] as const)(
  'with "sandbox.autoApprove" a command inside needs no permission (%s, given: %s)',
  (level, given) => {
    expect(decide(run('npm test'), policy(level, given), cwd)).toMatchObject({ decision: 'ask' });
    expect(decide(run('npm test'), sandboxed(level, given), cwd)).toEqual({
      decision: 'allow',
      by: 'rule',
      reason: 'the sandbox (workspace) holds this command, and "sandbox.autoApprove" is on',
      because: { code: 'sandboxed', mode: 'workspace' },
    });
  },
);

test.each<[string, Policy, PermissionSubject, 'ask' | 'reject']>([
  ['a rule that denies it', sandboxed('reads', false, denyRm), run('rm -rf x'), 'reject'],
  ['a rule that may be meant', sandboxed('reads', false, denyRm), run('$TOOL x'), 'ask'],
  [
    'a rule that asks',
    sandboxed('reads', false, { tool: 'execute', commandPrefix: 'git push', decision: 'ask' }),
    run('git push'),
    'ask',
  ],
  ['a typed level that asks', sandboxed('ask', true), run('npm test'), 'ask'],
  ['a typed level that rejects', sandboxed('none', true), run('npm test'), 'reject'],
  [
    'a protected file in the command',
    sandboxed('edits', true),
    { ...run('cat .env'), protectedFile: { path: '/project/.env', protection: 'environment' } },
    'ask',
  ],
  ['a call that shows no command', sandboxed('reads', false), { kind: 'execute', paths: [] }, 'ask'],
  [
    'another tool that shows a command',
    sandboxed('reads', false),
    { ...run('ls'), otherKinds: ['other'] },
    'ask',
  ],
  ['a diff beside the command', sandboxed('reads', false), { ...run('ls'), otherKinds: ['edit'] }, 'ask'],
  ['an edit', sandboxed('reads', false), { kind: 'edit', paths: [] }, 'ask'],
  ['a fetch', sandboxed('reads', false), { kind: 'fetch', host: 'example.com', paths: [] }, 'ask'],
  [
    'a host that the sandbox blocks',
    sandboxed('reads', false),
    { kind: 'fetch', host: 'example.com', blockedHost: 'example.com', paths: [] },
    'ask',
  ],
])('with "sandbox.autoApprove" still counts: %s', (_name, held, subject, decision) => {
  expect(decide(subject, held, cwd)).toMatchObject({ decision });
});
