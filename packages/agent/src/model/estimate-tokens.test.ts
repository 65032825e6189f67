import { expect, test } from 'vitest';
import { countCharacters, estimateMessage, estimateTokens } from './estimate-tokens.ts';
import type { ModelMessage } from './model.ts';

const small = { mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;

test('the estimate for an image is its cost for a model, not the length of its Base64', () => {
  const large = { ...small, data: small.data.repeat(100_000) };
  const prompt = (images: readonly (typeof small | typeof large)[]): ModelMessage => ({
    role: 'user',
    text: 'what is this?',
    images,
  });
  const words = estimateTokens([prompt([])]);
  const one = estimateTokens([prompt([small])]) - words;
  expect(one).toBeGreaterThan(1000);
  expect(estimateTokens([prompt([large])]) - words).toBe(one);
  expect(estimateTokens([prompt([small, large])]) - words).toBe(2 * one);
});

test('the estimate includes images in tool results', () => {
  const result = { id: '1', name: 'read', isError: false, text: 'an image' };
  const without = countCharacters({ role: 'tool', results: [result] });
  expect(countCharacters({ role: 'tool', results: [{ ...result, images: [small] }] })).toBeGreaterThan(
    without + 4000,
  );
});

test.each([
  ['English', 'The quick brown fox jumps over the lazy dog. ', 10],
  ['Chinese', '今天天气很好，我们去公园散步吧。', 14],
  ['code', 'const total = items.map(({ price }) => price).reduce(add, 0);\n', 18],
])('the estimate of %s is within a third of what tokenizers count', (_language, text, tokens) => {
  const estimate = estimateMessage({ role: 'user', text: text.repeat(10) });
  expect(estimate).toBeGreaterThan((tokens * 10 * 2) / 3);
  expect(estimate).toBeLessThan((tokens * 10 * 4) / 3);
});

test('the estimate of a very long text grows with its length', () => {
  const text = 'one two three four five six seven '.repeat(10_000);
  const whole = estimateMessage({ role: 'user', text });
  const half = estimateMessage({ role: 'user', text: text.slice(0, text.length / 2) });
  expect(Math.abs(whole / half - 2)).toBeLessThan(0.01);
});
