import type { AuthMethod } from '@parley/acp';
import { expect, test } from 'vitest';
import { methodFor } from './sign-in.ts';

const browser: AuthMethod = { id: 'oauth-personal', name: 'With a browser' };
const key: AuthMethod = { id: 'openai-api-key', name: 'With a key' };

test('a way to sign in that is called like a variable is taken when that is set', () => {
  expect(methodFor([browser, key], { OPENAI_API_KEY: 'k' })).toBe('openai-api-key');
  expect(methodFor([browser, key], { OPENAI_API_KEY: '' })).toBeUndefined();
  expect(methodFor([browser], { OPENAI_API_KEY: 'k' })).toBeUndefined();
});
