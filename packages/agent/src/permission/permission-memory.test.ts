import { expect, test } from 'vitest';
import { PermissionMemory } from './permission-memory.ts';

test('an answer about a command covers exactly that command', () => {
  const memory = new PermissionMemory(10);
  memory.remember({ kind: 'execute', command: 'npm test' }, 'allow');
  expect(memory.recall({ kind: 'execute', command: 'npm test' })).toBe('allow');
  expect(memory.recall({ kind: 'execute', command: 'npm test ' })).toBeUndefined();
  expect(memory.recall({ kind: 'execute', command: 'npm test && rm -r x' })).toBeUndefined();
});

test('an answer about one kind of change does not cover the other kinds', () => {
  const memory = new PermissionMemory(10);
  memory.remember({ kind: 'edit' }, 'allow');
  expect(memory.recall({ kind: 'edit' })).toBe('allow');
  expect(memory.recall({ kind: 'delete' })).toBeUndefined();
  expect(memory.recall({ kind: 'move' })).toBeUndefined();
  expect(memory.recall({ kind: 'execute', command: 'edit' })).toBeUndefined();
});

test('the last answer holds', () => {
  const memory = new PermissionMemory(10);
  memory.remember({ kind: 'delete' }, 'allow');
  memory.remember({ kind: 'delete' }, 'reject');
  expect(memory.recall({ kind: 'delete' })).toBe('reject');
});

test('past the limit the oldest answer is forgotten, and asked again', () => {
  const memory = new PermissionMemory(2);
  for (const command of ['a', 'b', 'c']) memory.remember({ kind: 'execute', command }, 'allow');
  expect(memory.recall({ kind: 'execute', command: 'a' })).toBeUndefined();
  expect(memory.recall({ kind: 'execute', command: 'c' })).toBe('allow');
});
