import { expect, test } from 'vitest';
import { countCharacters, estimateTokens } from './estimate-tokens.ts';
import type { ModelMessage } from './model.ts';

const small = { mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;

test('the estimate for an image is what it costs a model, not the length of its Base64', () => {
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
