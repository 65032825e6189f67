import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meaningOfKey, type PressedKey } from './permission-key.ts';

function pressed(key: string, changed: Partial<PressedKey> = {}): PressedKey {
  return { key, altKey: false, ctrlKey: false, metaKey: false, repeat: false, isTyping: false, ...changed };
}

test('"a" allows and "r" rejects this one call; no other key does anything', () => {
  expect(meaningOfKey(pressed('a'))).toBe('allow');
  expect(meaningOfKey(pressed('r'))).toBe('reject');
  fc.assert(
    fc.property(fc.string({ maxLength: 3 }), (key) => {
      if (key !== 'a' && key !== 'r') expect(meaningOfKey(pressed(key))).toBeUndefined();
    }),
  );
});

test('no key decides while the user types, holds the key down, or holds another key', () => {
  for (const changed of [
    { isTyping: true },
    { repeat: true },
    { ctrlKey: true },
    { metaKey: true },
    { altKey: true },
  ]) {
    expect(meaningOfKey(pressed('a', changed))).toBeUndefined();
  }
});
