import { expect, test } from 'vitest';
import { addTokens, tokensIn } from './tokens.ts';
import { turnUsageIn } from './turn-usage.ts';

test.each([
  [{ usage: { totalTokens: 7, inputTokens: 5, outputTokens: 2 } }, undefined],
  [{ tokenUsage: { total_tokens: 7, input_tokens: 5, output_tokens: 2 } }, 'tokenUsage'],
  [{ _meta: { usage: { total_tokens: 7, prompt_tokens: 5, completion_tokens: 2 } } }, '_meta.usage'],
  [{ _meta: { tokenUsage: { totalTokens: 7, promptTokens: 5, completionTokens: 2 } } }, '_meta.tokenUsage'],
  [
    { _meta: { quota: { token_count: { total_tokens: 7, input_tokens: 5, output_tokens: 2 } } } },
    '_meta.quota.token_count',
  ],
])('%j says what the turn took', (answer, from) => {
  const { usage, usageFrom } = turnUsageIn({ stopReason: 'end_turn', ...answer });

  expect(tokensIn(usage)).toEqual({ totalTokens: 7, inputTokens: 5, outputTokens: 2 });
  expect(usageFrom).toBe(from);
});

test('usage reported in two places, or under two names, is counted once', () => {
  const usage = { inputTokens: 5, input_tokens: 5, prompt_tokens: 5, cache_read_input_tokens: 1 };

  expect(turnUsageIn({ usage, _meta: { usage, tokenUsage: usage } })).toEqual({ usage });
  expect(tokensIn(usage)).toEqual({ inputTokens: 5, cachedReadTokens: 1 });
});

test('usage without numbers is ignored in extension fields, and passed on unchanged in its own', () => {
  expect(turnUsageIn({ usage: null, _meta: { usage: 'much', quota: 3 } })).toEqual({});
  expect(turnUsageIn({ usage: { of: 'tomorrow' } })).toEqual({ usage: { of: 'tomorrow' } });
  expect(tokensIn({ inputTokens: -1, outputTokens: '2', totalTokens: Number.NaN })).toBeUndefined();
});

test('unreported values stay unreported in sums', () => {
  expect(addTokens({ inputTokens: 1 }, { inputTokens: 2, thoughtTokens: 3 })).toEqual({
    inputTokens: 3,
    thoughtTokens: 3,
  });
});
