import type { PermissionOption } from '@parley/acp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toChoices } from './permission-choice.ts';
import { meaningOfKey, type KeyOffer, type PressedKey } from './permission-key.ts';

const options: readonly PermissionOption[] = [
  { optionId: 'y', name: 'Yes', kind: 'allow_once' },
  { optionId: 'ya', name: 'Yes, and do not ask again', kind: 'allow_always' },
  { optionId: 'n', name: 'No', kind: 'reject_once' },
];
const offer: KeyOffer = {
  choices: toChoices(options),
  canRemember: true,
  isDismissable: false,
  hasReason: true,
};

function pressed(key: string, changed: Partial<PressedKey> = {}): PressedKey {
  return { key, altKey: false, ctrlKey: false, metaKey: false, repeat: false, isTyping: false, ...changed };
}

test('letters choose the first option of "once", digits any option', () => {
  expect(meaningOfKey(pressed('a'), offer)).toMatchObject({ choice: { option: { optionId: 'y' } } });
  expect(meaningOfKey(pressed('3'), offer)).toMatchObject({ choice: { option: { optionId: 'ya' } } });
  expect(meaningOfKey(pressed('r'), offer)).toMatchObject({ choice: { option: { optionId: 'n' } } });
  expect(meaningOfKey(pressed('4'), offer)).toBeUndefined();
});

test('capital letters open what has to be said first', () => {
  expect(meaningOfKey(pressed('A'), offer)).toEqual({ kind: 'remember' });
  expect(meaningOfKey(pressed('R'), offer)).toEqual({ kind: 'reason' });
  expect(meaningOfKey(pressed('A'), { ...offer, canRemember: false })).toBeUndefined();
});

test('where no option rejects, "r" dismisses', () => {
  const only = { ...offer, choices: toChoices(options.slice(0, 1)), isDismissable: true };
  expect(meaningOfKey(pressed('r'), only)).toEqual({ kind: 'dismiss' });
});

test('no key decides while the user types, holds it down, or holds another key', () => {
  for (const changed of [
    { isTyping: true },
    { repeat: true },
    { ctrlKey: true },
    { metaKey: true },
    { altKey: true },
  ]) {
    expect(meaningOfKey(pressed('a', changed), offer)).toBeUndefined();
  }
});

test('no key chooses anything but an option that the agent offers', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3 }), (key) => {
      const meaning = meaningOfKey(pressed(key), offer);
      if (meaning?.kind === 'choose') expect(options).toContain(meaning.choice.option);
    }),
  );
});
