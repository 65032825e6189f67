import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelMessage } from '../model/model.ts';
import { messagesText } from './messages-text.ts';

const messages: readonly ModelMessage[] = [
  { role: 'user', text: 'look' },
  { role: 'assistant', text: 'I look', toolCalls: [{ id: '1', name: 'read', input: { path: 'a' } }] },
  { role: 'tool', results: [{ id: '1', name: 'read', isError: true, text: 'x'.repeat(10_000) }] },
];

test('each message begins with its role', () => {
  expect(messagesText(messages, 20_000)).toBe(
    `User: look\n\nAgent: I look\n\nAgent calls read: {"path":"a"}\n\nFailure of read: ${'x'.repeat(10_000)}`,
  );
});

test('long texts are cut first', () => {
  const text = messagesText(messages, 1000);
  expect(text).toContain('User: look');
  expect(text.endsWith('x…')).toBe(true);
});

test('a transcript has at most the requested length', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 2000 })), fc.nat(3000), (texts, limitChars) => {
      const text = messagesText(
        texts.map((said) => ({ role: 'user', text: said })),
        limitChars,
      );
      expect(text.length).toBeLessThanOrEqual(limitChars);
    }),
  );
});
