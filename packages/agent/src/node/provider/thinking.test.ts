import { expect, test } from 'vitest';
import { thinkingOf } from './thinking.ts';

const request = { instructions: '', messages: [], tools: [] };

test.each([
  ['gpt-5.6', undefined, 'none'],
  ['gpt-5.5', 'https://api.openai.com/v1', 'none'],
  ['gpt-5.6', 'https://gateway.example/v1', undefined],
  ['gpt-5.1', undefined, undefined],
])('%s at %s is set to think %s, for it takes no tools otherwise', (model, baseUrl, effort) => {
  const thinking = thinkingOf({ api: 'openai', model, ...(baseUrl !== undefined && { baseUrl }) });
  const options = thinking?.toOptions(request) ?? {};
  expect(options).toEqual(effort === undefined ? {} : { openaiCompatible: { reasoningEffort: effort } });
});
