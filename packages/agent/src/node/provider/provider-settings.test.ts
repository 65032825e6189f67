import { expect, test } from 'vitest';
import { ProviderVariables } from './provider-settings.ts';

test('the three providers need a key, and have a default model at their own URL', () => {
  const variables = new ProviderVariables({
    OPENAI_API_KEY: 'k',
    ANTHROPIC_BASE_URL: 'http://a',
    GEMINI_API_KEY: '',
  });
  expect(variables.find('openai')).toMatchObject({ api: 'openai', apiKey: 'k', model: expect.any(String) });
  expect(variables.find('anthropic')).toBeUndefined();
  expect(variables.find('gemini')).toBeUndefined();
});

test('there is no default model at another base URL', () => {
  const variables = new ProviderVariables({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://a' });
  expect(variables.find('openai')).toEqual({ api: 'openai', apiKey: 'k', baseUrl: 'http://a' });
});

test('any other provider needs a base URL', () => {
  const variables = new ProviderVariables({
    MY_LAB_API_KEY: 'k',
    MY_LAB_BASE_URL: 'http://a',
    OTHER_API_KEY: 'k',
  });
  expect(variables.find('my-lab')).toMatchObject({ api: 'openai', baseUrl: 'http://a' });
  expect(variables.find('other')).toBeUndefined();
  expect(variables.find('constructor')).toBeUndefined();
});

test('the base URL of a project is used only with a key of the project', () => {
  const project = { OPENAI_BASE_URL: 'http://b', OPENAI_API_KEY: 'theirs' };
  expect(new ProviderVariables({ OPENAI_API_KEY: 'mine' }, project).find('openai')).toMatchObject({
    apiKey: 'mine',
  });
  expect(new ProviderVariables({ OPENAI_API_KEY: 'mine' }, project).find('openai')).not.toHaveProperty(
    'baseUrl',
  );
  expect(new ProviderVariables({}, project).find('openai')).toMatchObject({
    apiKey: 'theirs',
    baseUrl: 'http://b',
  });
});
