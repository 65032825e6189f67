import type { ConfiguredRule, Ruling } from '@parley/workspace/rule';
import { expect, test } from 'vitest';
import type { Action } from './action.ts';
import { decide } from './decide.ts';
import { findMode, modes } from './mode.ts';
import type { Mode } from './mode.ts';

const changes: readonly Action[] = [{ kind: 'edit' }, { kind: 'delete' }, { kind: 'move' }];
const command: Action = { kind: 'execute', command: 'npm test' };
const fetching: Action = { kind: 'fetch', host: 'example.com' };
const mcp = (isReadOnly: boolean): Action => ({ kind: 'mcp', tool: 'mcp__a__b', isReadOnly });
const reading: Action = { kind: 'read' };
const asking: Action = { kind: 'ask-user' };
const planning: Action = { kind: 'switch-mode', plan: '1. Read' };
const says = (decision: Ruling['decision']): Ruling<ConfiguredRule> => ({
  decision,
  rules: [{ tool: '*', decision: decision === 'unclear' ? 'deny' : decision }],
});
const all: readonly Mode[] = ['confirm', 'workspace-write', 'full-access', 'read-only', 'plan'];

test('reading and asking the user are allowed in every mode', () => {
  for (const mode of all) {
    expect(decide(mode, { kind: 'read' })).toEqual({ decision: 'allow' });
    expect(decide(mode, { kind: 'ask-user' })).toEqual({ decision: 'allow' });
  }
});

test('confirm asks about each change and each command', () => {
  for (const action of [...changes, command]) {
    expect(decide('confirm', action)).toBe('ask');
  }
});

test('workspace-write changes files and asks about commands', () => {
  const by = { by: 'mode', mode: 'workspace-write' };
  for (const action of changes) {
    expect(decide('workspace-write', action)).toEqual({ decision: 'allow', by });
  }
  expect(decide('workspace-write', command)).toBe('ask');
});

test('full-access asks about nothing', () => {
  for (const action of [...changes, command]) {
    const by = { by: 'mode', mode: 'full-access' };
    expect(decide('full-access', action)).toEqual({ decision: 'allow', by });
  }
});

test.each(['read-only', 'plan'] as const)(
  '%s refuses each change and each command, regardless of rules',
  (mode) => {
    for (const action of [...changes, command]) {
      expect(decide(mode, action)).toMatchObject({ decision: 'deny' });
      expect(decide(mode, action, says('allow'))).toMatchObject({
        decision: 'deny',
        by: { by: 'mode', mode },
      });
    }
  },
);

test('fetching and MCP tools ask in confirm and in workspace-write', () => {
  for (const action of [fetching, mcp(false), mcp(true)]) {
    expect(decide('confirm', action)).toBe('ask');
    expect(decide('workspace-write', action)).toBe('ask');
    expect(decide('full-access', action)).toMatchObject({ decision: 'allow' });
  }
});

test('read-only and plan ask about MCP tools that only read, and refuse the others', () => {
  for (const mode of ['read-only', 'plan'] as const) {
    expect(decide(mode, fetching)).toMatchObject({ decision: 'deny' });
    expect(decide(mode, mcp(false), says('allow'))).toMatchObject({ decision: 'deny' });
    expect(decide(mode, mcp(true))).toBe('ask');
  }
});

test('an allow rule decides, and is named', () => {
  const by = { by: 'rule', rule: 'the rule "allow *"' };
  expect(decide('confirm', command, says('allow'))).toEqual({ decision: 'allow', by });
  expect(decide('workspace-write', command, says('allow'))).toEqual({ decision: 'allow', by });
});

test('a deny rule applies in every mode, for reading too', () => {
  for (const mode of all) {
    for (const action of [...changes, command, fetching, mcp(true), reading, asking, planning]) {
      expect(decide(mode, action, says('deny'))).toMatchObject({ decision: 'deny' });
    }
  }
});

test('an ask rule asks in each mode that asks', () => {
  for (const mode of ['confirm', 'workspace-write'] as const) {
    for (const action of [...changes, command, reading]) {
      expect(decide(mode, action, says('ask'))).toBe('ask');
    }
  }
  for (const action of [...changes, command, reading]) {
    expect(decide('full-access', action, says('ask'))).toMatchObject({ decision: 'allow' });
  }
  expect(decide('plan', reading, says('ask'))).toBe('ask');
});

test('if a deny may apply, the user is asked, or the call is rejected in modes that never ask', () => {
  expect(decide('confirm', command, says('unclear'))).toBe('ask');
  expect(decide('workspace-write', command, says('unclear'))).toBe('ask');
  expect(decide('full-access', command, says('unclear'))).toMatchObject({
    decision: 'deny',
    by: { by: 'rule' },
  });
});

test('a question to the user needs no permission', () => {
  expect(decide('confirm', asking, says('ask'))).toMatchObject({ decision: 'allow' });
  expect(decide('confirm', { kind: 'none' }, says('ask'))).toMatchObject({ decision: 'allow' });
});

test('a plan always needs approval', () => {
  for (const mode of all) expect(decide(mode, planning, says('allow'))).toBe('ask');
});

test('only the ids of the offered modes are modes', () => {
  expect(modes.map(({ id }) => findMode(id))).toEqual(all);
  expect(findMode('code')).toBeUndefined();
  expect(findMode('toString')).toBeUndefined();
});
