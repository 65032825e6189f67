import { expect, test } from 'vitest';
import { nameOfUnknown } from './unknown-name.ts';

test('an update is shown by its own name', () => {
  expect(nameOfUnknown({ sessionUpdate: 'mood_update', mood: 'good' })).toBe('mood_update');
  expect(nameOfUnknown({ type: 'later' })).toBe('later');
});

test('an update without a name has none', () => {
  for (const raw of [undefined, null, 'text', 5, [], {}, { sessionUpdate: 5 }, { type: '' }]) {
    expect(nameOfUnknown(raw)).toBeUndefined();
  }
});
