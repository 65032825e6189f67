import { expect, test } from 'vitest';
import { permissionOptions, toPermissionAnswer } from './permission-options.ts';

test('there are four options, each named by its kind', () => {
  const options = permissionOptions({ kind: 'execute', command: 'ls' });
  expect(options.map(({ kind }) => kind)).toEqual([
    'allow_once',
    'allow_always',
    'reject_once',
    'reject_always',
  ]);
  for (const { optionId, kind } of options) expect(optionId).toBe(kind);
});

test('the name of a lasting option says how far it reaches', () => {
  const nameOf = (kind: 'edit' | 'delete' | 'move'): string | undefined =>
    permissionOptions({ kind })[1]?.name;
  expect(permissionOptions({ kind: 'execute', command: 'ls' })[1]?.name).toContain('exactly this command');
  expect(nameOf('edit')).toContain('writing and editing');
  expect(nameOf('delete')).toContain('deleting');
  expect(nameOf('move')).toContain('moving');
  expect(permissionOptions({ kind: 'fetch', host: 'example.com' })[1]?.name).toContain('from example.com');
  const tool = 'mcp__a__b';
  expect(permissionOptions({ kind: 'mcp', tool, isReadOnly: true })[1]?.name).toContain(tool);
});

test('an option of ours is the answer', () => {
  expect(toPermissionAnswer({ outcome: 'selected', optionId: 'allow_always' })).toBe('allow_always');
});

test('a foreign option and a cancel are no permission', () => {
  expect(toPermissionAnswer({ outcome: 'selected', optionId: 'allow' })).toBe('no-answer');
  expect(toPermissionAnswer({ outcome: 'cancelled' })).toBe('no-answer');
});
