import { expect, test } from 'vitest';
import type { Action } from './action.ts';
import { decide } from './decide.ts';
import type { RuleDecision } from './decide.ts';
import { findMode, modes } from './mode.ts';
import type { Mode } from './mode.ts';

const changes: readonly Action[] = [{ kind: 'edit' }, { kind: 'delete' }, { kind: 'move' }];
const command: Action = { kind: 'execute', command: 'npm test' };
const fetching: Action = { kind: 'fetch', host: 'example.com' };
const mcp = (isReadOnly: boolean): Action => ({ kind: 'mcp', tool: 'mcp__a__b', isReadOnly });
const reading: Action = { kind: 'read' };
const asking: Action = { kind: 'ask-user' };
const planning: Action = { kind: 'switch-mode', plan: '1. Read' };
const says = (decision: RuleDecision['decision']): RuleDecision => ({
  decision,
  decidedBy: { by: 'rule', rule: 'the rule' },
});
const all: readonly Mode[] = ['confirm', 'workspace-write', 'full-access', 'read-only', 'plan'];

test('reading and asking the user are allowed in every mode', () => {
  for (const mode of all) {
    expect(decide(mode, { kind: 'read' })).toEqual({ outcome: 'allow' });
    expect(decide(mode, { kind: 'ask-user' })).toEqual({ outcome: 'allow' });
  }
});

test('confirm asks about each change and each command', () => {
  for (const action of [...changes, command]) {
    expect(decide('confirm', action)).toEqual({ outcome: 'ask' });
  }
});

test('workspace-write changes files and asks about commands', () => {
  const decidedBy = { by: 'mode', mode: 'workspace-write' };
  for (const action of changes) {
    expect(decide('workspace-write', action)).toEqual({ outcome: 'allow', decidedBy });
  }
  expect(decide('workspace-write', command)).toEqual({ outcome: 'ask' });
});

test('full-access asks about nothing', () => {
  for (const action of [...changes, command]) {
    const decidedBy = { by: 'mode', mode: 'full-access' };
    expect(decide('full-access', action)).toEqual({ outcome: 'allow', decidedBy });
  }
});

test.each(['read-only', 'plan'] as const)(
  '%s refuses each change and each command, regardless of rules',
  (mode) => {
    for (const action of [...changes, command]) {
      expect(decide(mode, action).outcome).toBe('deny');
      expect(decide(mode, action, says('allow'))).toMatchObject({
        outcome: 'deny',
        decidedBy: { by: 'mode', mode },
      });
    }
  },
);

test('fetching and MCP tools ask in confirm and in workspace-write', () => {
  for (const action of [fetching, mcp(false), mcp(true)]) {
    expect(decide('confirm', action)).toEqual({ outcome: 'ask' });
    expect(decide('workspace-write', action)).toEqual({ outcome: 'ask' });
    expect(decide('full-access', action).outcome).toBe('allow');
  }
});

test('read-only and plan ask about MCP tools that only read, and refuse the others', () => {
  for (const mode of ['read-only', 'plan'] as const) {
    expect(decide(mode, fetching).outcome).toBe('deny');
    expect(decide(mode, mcp(false), says('allow')).outcome).toBe('deny');
    expect(decide(mode, mcp(true))).toEqual({ outcome: 'ask' });
  }
});

test('a rule that allows answers the question, and is named', () => {
  const { decidedBy } = says('allow');
  expect(decide('confirm', command, says('allow'))).toEqual({ outcome: 'allow', decidedBy });
  expect(decide('workspace-write', command, says('allow'))).toEqual({ outcome: 'allow', decidedBy });
});

test('a deny holds in every mode, for reading too', () => {
  for (const mode of all) {
    for (const action of [...changes, command, fetching, mcp(true), reading, asking, planning]) {
      expect(decide(mode, action, says('deny')).outcome).toBe('deny');
    }
  }
});

test('a rule that asks is asked about in each mode that asks', () => {
  for (const mode of ['confirm', 'workspace-write'] as const) {
    for (const action of [...changes, command, reading]) {
      expect(decide(mode, action, says('ask')).outcome).toBe('ask');
    }
  }
  for (const action of [...changes, command, reading]) {
    expect(decide('full-access', action, says('ask')).outcome).toBe('allow');
  }
  expect(decide('plan', reading, says('ask')).outcome).toBe('ask');
});

test('where a deny may apply the user is asked, and where the user is not asked it is refused', () => {
  expect(decide('confirm', command, says('unclear')).outcome).toBe('ask');
  expect(decide('workspace-write', command, says('unclear')).outcome).toBe('ask');
  expect(decide('full-access', command, says('unclear'))).toMatchObject({
    outcome: 'deny',
    decidedBy: { by: 'rule' },
  });
});

test('a question to the user is not asked about', () => {
  expect(decide('confirm', asking, says('ask')).outcome).toBe('allow');
  expect(decide('confirm', { kind: 'none' }, says('ask')).outcome).toBe('allow');
});

test('a plan is always asked about', () => {
  for (const mode of all) expect(decide(mode, planning, says('allow'))).toEqual({ outcome: 'ask' });
});

test('only the ids of the offered modes are modes', () => {
  expect(modes.map(({ id }) => findMode(id))).toEqual(all);
  expect(findMode('code')).toBeUndefined();
  expect(findMode('toString')).toBeUndefined();
});
