import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PermissionOption, ToolCallUpdate } from '@parley/acp';
import type { ConfiguredRule } from '@parley/workspace/rule';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRuleDenials, type RuleDenials } from './rule-denials.ts';

let cwd = '';

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-denials-')));
});

afterEach(() => rm(cwd, { recursive: true }));

const options: PermissionOption[] = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

function denialsOf(...rules: readonly ConfiguredRule[]): RuleDenials {
  return createRuleDenials({ agentName: 'mine', rules, cwd });
}

const ask = (
  toolCall: Omit<ToolCallUpdate, 'toolCallId'>,
  offered = options,
): Parameters<RuleDenials['find']>[0] => ({
  sessionId: 's',
  toolCall: { toolCallId: 'c', ...toolCall },
  options: offered,
});

test('a denied call is rejected once, and the agent receives a reason that does not quote the rule', async () => {
  const denials = denialsOf({ tool: 'execute', commandPrefix: 'rm', decision: 'deny', origin: 'user' });

  const denial = await denials.find(ask({ kind: 'execute', rawInput: { command: 'ls; rm -r x' } }));

  expect(denial?.reason).toMatch(/^your rule "deny .*rm.*" applies$/);
  expect(denial?.response).toMatchObject({
    outcome: { outcome: 'selected', optionId: 'no', _meta: { 'parley/reason': expect.any(String) } },
  });
  expect(JSON.stringify(denial?.response)).not.toContain('rm');
});

test('allow and ask rules, and those for another agent, deny nothing', async () => {
  const denials = denialsOf(
    { tool: 'execute', decision: 'allow' },
    { tool: 'execute', decision: 'ask' },
    { tool: 'execute', agent: 'another', decision: 'deny' },
  );

  expect(await denials.find(ask({ kind: 'execute', rawInput: { command: 'ls' } }))).toBeUndefined();
});

test('a command that may be denied and cannot be judged is rejected', async () => {
  const denials = denialsOf({ tool: 'execute', commandPrefix: 'git push', decision: 'deny', origin: 'user' });

  for (const command of ['$TOOL push', 'eval "git push"', 'sudo --unknown git push']) {
    const denial = await denials.find(ask({ kind: 'execute', rawInput: { command } }));
    expect(denial?.reason).toMatch(/may apply: what the call would do cannot be judged$/);
    expect(denial?.response.outcome).toMatchObject({ outcome: 'selected', optionId: 'no' });
  }
  expect(await denials.find(ask({ kind: 'execute', rawInput: { command: 'git status' } }))).toBeUndefined();
});

test('earlier updates of a call count until its turn has ended', async () => {
  const denials = denialsOf({ tool: 'edit', path: 'keys', decision: 'deny' });
  denials.note({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', kind: 'edit' });
  denials.note({ sessionUpdate: 'tool_call_update', toolCallId: 'c', locations: [{ path: 'keys/a' }] });
  denials.note({ sessionUpdate: 'tool_call', toolCallId: 7 });

  expect(await denials.find(ask({}))).toBeDefined();
  denials.endTurn();
  expect(await denials.find(ask({}))).toBeUndefined();
});

test('a link to a denied path is denied too', async () => {
  await mkdir(path.join(cwd, 'keys'));
  await symlink(path.join(cwd, 'keys'), path.join(cwd, 'open'));
  const denials = denialsOf({ tool: 'edit', path: 'keys', decision: 'deny' });

  expect(await denials.find(ask({ kind: 'edit', locations: [{ path: 'open/a' }] }))).toBeDefined();
  expect(await denials.find(ask({ kind: 'edit', locations: [{ path: 'other/a' }] }))).toBeUndefined();
});

test('without an option that rejects, or with one that also allows, the answer is cancelled', async () => {
  const denials = denialsOf({ tool: 'execute', decision: 'deny' });
  const double: PermissionOption[] = [
    { optionId: 'x', name: 'Allow', kind: 'allow_once' },
    { optionId: 'x', name: 'Reject', kind: 'reject_once' },
  ];

  for (const offered of [options.slice(0, 1), double, []]) {
    const denial = await denials.find(ask({ kind: 'execute', rawInput: { command: 'ls' } }, offered));
    expect(denial?.response).toEqual({ outcome: { outcome: 'cancelled' } });
  }
});

test('rules apply even if the directory does not exist on this machine', async () => {
  const denials = createRuleDenials({
    agentName: 'mine',
    rules: [{ tool: 'edit', path: '/srv/keys', decision: 'deny' }],
    cwd: '/no/such/directory',
  });

  expect(await denials.find(ask({ kind: 'edit', locations: [{ path: '/srv/keys/a' }] }))).toBeDefined();
});
