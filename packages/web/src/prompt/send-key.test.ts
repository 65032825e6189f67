import { expect, test } from 'vitest';
import { isSendKey, isSendNowKey, type PressedKey } from './send-key.ts';

const enter: PressedKey = {
  key: 'Enter',
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
};

test('Enter sends or starts a new line, according to the setting', () => {
  expect(isSendKey(enter, 'enter')).toBe(true);
  expect(isSendKey(enter, 'mod-enter')).toBe(false);
});

test('with Ctrl or Cmd, Enter always sends', () => {
  for (const sendKey of ['enter', 'mod-enter'] as const) {
    expect(isSendKey({ ...enter, ctrlKey: true }, sendKey)).toBe(true);
    expect(isSendKey({ ...enter, metaKey: true }, sendKey)).toBe(true);
  }
});

test("Enter that confirms an input method's word sends nothing", () => {
  expect(isSendKey({ ...enter, isComposing: true }, 'enter')).toBe(false);
});

test('Alt+Enter sends a queued prompt, not the one being written', () => {
  const altEnter = { ...enter, altKey: true };
  expect(isSendKey(altEnter, 'enter')).toBe(false);
  expect(isSendNowKey(altEnter)).toBe(true);
  expect(isSendNowKey({ ...altEnter, isComposing: true })).toBe(false);
  expect(isSendNowKey(enter)).toBe(false);
});

test('Shift+Enter starts a new line', () => {
  expect(isSendKey({ ...enter, shiftKey: true }, 'enter')).toBe(false);
  expect(isSendKey({ ...enter, shiftKey: true, ctrlKey: true }, 'enter')).toBe(false);
});
