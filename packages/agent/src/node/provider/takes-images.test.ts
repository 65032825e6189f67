import { expect, test } from 'vitest';
import { takesImages } from './takes-images.ts';

test.each([
  'claude-sonnet-5',
  'claude-3-5-haiku-latest',
  'anthropic/claude-opus-4.1',
  'gemini-3.5-flash',
  'gpt-5',
  'gpt-5-mini',
  'gpt-4o',
  'gpt-4.1',
  'o3',
  'o4-mini',
  'qwen2.5-vl:7b',
  'qwen/qwen3-vl-235b',
  'llama3.2-vision:11b',
  'llava:13b',
  'pixtral-12b',
])('%s sees images', (model) => {
  expect(takesImages(model)).toBe(true);
});

test.each([
  'gpt-3.5-turbo',
  'o3-mini',
  'o1-mini',
  'claude-2.1',
  'deepseek-chat',
  'qwen3-coder',
  'llama3.1:8b',
  'test-model',
  '',
])('%s is not believed to', (model) => {
  expect(takesImages(model)).toBe(false);
});
