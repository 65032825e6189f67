import { expect, test } from 'vitest';
import type { Action } from './action.ts';
import { decide } from './decide.ts';
import { findMode, modes } from './mode.ts';
import type { Mode } from './mode.ts';

const changes: readonly Action[] = [{ kind: 'edit' }, { kind: 'delete' }, { kind: 'move' }];
const command: Action = { kind: 'execute', command: 'npm test' };
const fetching: Action = { kind: 'fetch', host: 'example.com' };
const mcp = (isReadOnly: boolean): Action => ({ kind: 'mcp', tool: 'mcp__a__b', isReadOnly });
const all: readonly Mode[] = ['confirm', 'workspace-write', 'full-access', 'read-only', 'plan'];

test('reading and asking the user are allowed in every mode', () => {
  for (const mode of all) {
    expect(decide(mode, { kind: 'read' })).toEqual({ verdict: 'allow' });
    expect(decide(mode, { kind: 'ask-user' })).toEqual({ verdict: 'allow' });
  }
});

test('confirm asks about each change and each command', () => {
  for (const action of [...changes, command]) {
    expect(decide('confirm', action)).toEqual({ verdict: 'ask', action });
  }
});

test('workspace-write changes files and asks about commands', () => {
  for (const action of changes) expect(decide('workspace-write', action)).toEqual({ verdict: 'allow' });
  expect(decide('workspace-write', command)).toEqual({ verdict: 'ask', action: command });
});

test('full-access asks about nothing', () => {
  for (const action of [...changes, command]) {
    expect(decide('full-access', action)).toEqual({ verdict: 'allow' });
  }
});

test.each(['read-only', 'plan'] as const)(
  '%s refuses each change and each command, remembered or not',
  (mode) => {
    for (const action of [...changes, command]) {
      expect(decide(mode, action).verdict).toBe('deny');
      expect(decide(mode, action, 'allow').verdict).toBe('deny');
    }
  },
);

test('fetching and MCP tools ask in confirm and in workspace-write', () => {
  for (const action of [fetching, mcp(false), mcp(true)]) {
    expect(decide('confirm', action)).toEqual({ verdict: 'ask', action });
    expect(decide('workspace-write', action)).toEqual({ verdict: 'ask', action });
    expect(decide('full-access', action)).toEqual({ verdict: 'allow' });
  }
});

test('read-only and plan ask about MCP tools that only read, and refuse the others', () => {
  for (const mode of ['read-only', 'plan'] as const) {
    expect(decide(mode, fetching).verdict).toBe('deny');
    expect(decide(mode, mcp(false), 'allow').verdict).toBe('deny');
    expect(decide(mode, mcp(true))).toEqual({ verdict: 'ask', action: mcp(true) });
  }
});

test('a remembered permission answers the question', () => {
  expect(decide('confirm', command, 'allow')).toEqual({ verdict: 'allow' });
  expect(decide('workspace-write', command, 'allow')).toEqual({ verdict: 'allow' });
});

test('a remembered rejection holds in every mode', () => {
  for (const mode of all) expect(decide(mode, command, 'reject').verdict).toBe('deny');
});

test('only the ids of the offered modes are modes', () => {
  expect(modes.map(({ id }) => findMode(id))).toEqual(all);
  expect(findMode('code')).toBeUndefined();
  expect(findMode('toString')).toBeUndefined();
});
