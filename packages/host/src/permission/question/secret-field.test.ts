import { expect, test } from 'vitest';
import { isSecretField } from './secret-field.ts';

const text = { type: 'string' } as const;

test.each([
  ['Which colour?', 'answer', text, false],
  ['Which keyboard layout?', 'answer', text, false],
  ['How long may the answer be?', 'maxTokens', { type: 'integer' }, false],
  ['Log in', 'password', text, true],
  ['Log in', 'user', text, false],
  ['Deploy', 'deploy_key_access', { ...text, title: 'SSH key' }, true],
  ['What is your API key?', 'answer', text, true],
  ['Enter the verification code', 'answer', text, true],
  ['Please type your passphrase', 'answer', text, true],
  ['请输入密码', 'answer', text, true],
  ['One more', 'otp', text, true],
] as const)('%s (%s)', (message, name, property, isSecret) => {
  expect(isSecretField({ message, name, property })).toBe(isSecret);
});
