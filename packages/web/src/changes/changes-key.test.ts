import { expect, test } from 'vitest';
import { meaningOfChangesKey, type PressedChangesKey } from './changes-key.ts';

function press(key: string, known: Partial<PressedChangesKey> = {}): unknown {
  const pressed = { key, altKey: false, ctrlKey: false, metaKey: false, isElsewhere: false, isButton: false };
  return meaningOfChangesKey({ ...pressed, ...known });
}

test('keys move, review and undo', () => {
  expect(press('j')).toEqual({ kind: 'head', step: 1 });
  expect(press('a')).toEqual({ kind: 'keep' });
  expect(press('U')).toEqual({ kind: 'redo' });
});

test('keys typed into a field, with a modifier, or on a button are not shortcuts', () => {
  expect(press('a', { isElsewhere: true })).toBeUndefined();
  expect(press('r', { ctrlKey: true })).toBeUndefined();
  expect(press('Enter', { isButton: true })).toBeUndefined();
  expect(press('Enter')).toEqual({ kind: 'toggle' });
});
