import type { AuthMethod } from '@parley/acp';
import { expect, test } from 'vitest';
import { unattendedMethod } from './unattended-method.ts';

const browser: AuthMethod = { id: 'oauth-personal', name: 'With a browser' };
const key: AuthMethod = { id: 'openai-api-key', name: 'With a key' };

test('a sign-in method named like a variable is used if the variable is set', () => {
  expect(unattendedMethod([browser, key], { OPENAI_API_KEY: 'k' })).toBe('openai-api-key');
  expect(unattendedMethod([browser, key], { OPENAI_API_KEY: '' })).toBeUndefined();
  expect(unattendedMethod([browser], { OPENAI_API_KEY: 'k' })).toBeUndefined();
});

test('a method known to use variables is used if one of them is set', () => {
  const plain: AuthMethod = { id: 'api-key', name: 'API Key' };
  const known = { hint: '', variables: ['CODEX_API_KEY', 'OPENAI_API_KEY'], method: 'api-key' };
  expect(unattendedMethod([browser, plain], { OPENAI_API_KEY: 'k' }, known)).toBe('api-key');
  expect(unattendedMethod([browser, plain], { OTHER_API_KEY: 'k' }, known)).toBeUndefined();
  expect(unattendedMethod([browser, plain], { OPENAI_API_KEY: 'k' })).toBeUndefined();
  expect(unattendedMethod([browser], { OPENAI_API_KEY: 'k' }, known)).toBeUndefined();
});
