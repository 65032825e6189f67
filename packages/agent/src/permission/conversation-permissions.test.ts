import type { ConfiguredRule, RuleScope, Subject } from '@parley/workspace/rule';
import { expect, test } from 'vitest';
import { createNodeEnvironment } from '../node/environment.ts';
import { ConversationPermissions } from './conversation-permissions.ts';

const cwd = '/project';

async function open(
  configured: readonly ConfiguredRule[] = [],
  limit = 10,
): Promise<ConversationPermissions> {
  const book = await createNodeEnvironment().openRules(cwd);
  return new ConversationPermissions({ book, configured, limit });
}

function run(command: string): Subject {
  return { kind: 'execute', tool: 'run', command, paths: [] };
}

function edit(...paths: readonly string[]): Subject {
  return { kind: 'edit', tool: 'write', paths };
}

const once = { answersRule: false };

function remember(
  permissions: ConversationPermissions,
  subject: Subject,
  decision: 'allow' | 'deny' = 'allow',
): void {
  permissions.remember(permissions.narrowest(subject), decision, once);
}

test('an answer for an unknown command covers exactly that command', async () => {
  const permissions = await open();
  remember(permissions, run('make-it so'));
  expect(permissions.judge(run('make-it so'))?.decision).toBe('allow');
  for (const command of ['make-it so ', 'make-it', 'make-it so && rm x', 'make-it so now']) {
    expect(permissions.judge(run(command))).toBeUndefined();
  }
});

test('an answer for a known command covers its first words, not in combination with other commands', async () => {
  const permissions = await open();
  remember(permissions, run('git status'));
  expect(permissions.judge(run('git status --short'))?.decision).toBe('allow');
  for (const command of [
    'git status; rm x',
    'git status | sh',
    'git statusx',
    'git status > x',
    'X=1 git status',
  ]) {
    expect(permissions.judge(run(command))).toBeUndefined();
  }
});

test('an answer for one kind of change does not cover other kinds or folders', async () => {
  const permissions = await open();
  remember(permissions, edit('/project/src/a.ts'));
  expect(permissions.judge(edit('/project/src/b/c.ts'))?.decision).toBe('allow');
  expect(permissions.judge(edit('/project/b.ts'))).toBeUndefined();
  expect(permissions.judge(edit('/project/src/a.ts', '/project/b.ts'))).toBeUndefined();
  expect(permissions.judge({ ...edit('/project/src/a.ts'), kind: 'delete' })).toBeUndefined();
});

test('the last answer about the same action wins', async () => {
  const permissions = await open();
  remember(permissions, run('ls'));
  remember(permissions, run('ls'), 'deny');
  expect(permissions.judge(run('ls'))?.decision).toBe('deny');
  expect(permissions.list()).toHaveLength(1);
});

test('beyond the limit the oldest answer is dropped, and asked again', async () => {
  const permissions = await open([], 2);
  for (const command of ['a', 'b', 'c']) remember(permissions, run(command));
  expect(permissions.judge(run('a'))).toBeUndefined();
  expect(permissions.judge(run('c'))?.decision).toBe('allow');
});

test('rules are listed with their source, and those of the session are revoked by a stable number', async () => {
  const permissions = await open([
    { tool: 'edit', decision: 'deny', path: 'secret', origin: 'project' },
    { tool: 'execute', decision: 'ask' },
  ]);
  remember(permissions, run('a'));
  remember(permissions, run('b'));
  expect(permissions.revoke('1')).toBe(true);
  expect(permissions.revoke('1')).toBe(false);
  remember(permissions, run('c'));
  expect(permissions.list()).toMatchObject([
    { origin: 'project', path: 'secret' },
    { origin: 'user', tool: 'execute' },
    { origin: 'answer', command: 'b', answer: { id: '2' } },
    { origin: 'answer', command: 'c', answer: { id: '3' } },
  ]);
  expect(permissions.judge(run('a'))?.decision).toBe('ask');
  expect(permissions.revokeAll()).toBe(2);
  expect(permissions.list()).toHaveLength(2);
});

test('an ask rule is overridden only by an answer to its own question', async () => {
  const permissions = await open([{ tool: 'edit', path: 'src/generated', decision: 'ask' }]);
  remember(permissions, edit('/project/src/a.ts'));
  const generated = edit('/project/src/generated/a.ts');
  expect(permissions.judge(generated)?.decision).toBe('ask');
  permissions.remember(permissions.narrowest(generated), 'allow', { answersRule: true });
  expect(permissions.judge(generated)?.decision).toBe('allow');
});

test('no answer overrides a deny', async () => {
  const permissions = await open([{ tool: 'execute', commandPrefix: 'git push', decision: 'deny' }]);
  const scope: RuleScope = { tool: 'execute', command: 'git push' };
  permissions.remember([scope], 'allow', { answersRule: true });
  expect(permissions.judge(run('git push'))?.decision).toBe('deny');
});

test('without rules nothing needs to be judged', async () => {
  const permissions = await open();
  expect(permissions.isEmpty).toBe(true);
  remember(permissions, run('a'));
  expect(permissions.isEmpty).toBe(false);
});
