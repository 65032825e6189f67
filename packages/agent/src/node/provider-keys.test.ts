import { expect, test } from 'vitest';
import { withoutProviderKeys } from './provider-keys.ts';

test('keys of known, chosen and configured providers are removed', () => {
  const hidden = withoutProviderKeys({
    OPENAI_API_KEY: 'a',
    ANTHROPIC_API_KEY: 'b',
    ANTHROPIC_AUTH_TOKEN: 'b',
    GEMINI_API_KEY: 'c',
    LLM_PROVIDER: 'acme',
    ACME_API_KEY: 'd',
    OTHER_API_KEY: 'e',
    OTHER_BASE_URL: 'http://127.0.0.1',
    MORE_API_KEY: 'f',
    MORE_MODEL: 'm',
  });
  expect(Object.keys(hidden)).toEqual([
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'GEMINI_API_KEY',
    'ACME_API_KEY',
    'OTHER_API_KEY',
    'MORE_API_KEY',
  ]);
});

test('other keys stay', () => {
  expect(withoutProviderKeys({ WEATHER_API_KEY: 'a', PATH: '/bin', OPENAI_MODEL: 'm' })).toEqual({});
});
