import { expect, test } from 'vitest';
import { messageText } from './message-text.ts';

test('the text of a message is that of its blocks', () => {
  expect(messageText({ role: 'user', content: 'Hello' })).toBe('Hello');
  expect(
    messageText({
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', url: 'data:image/png;base64,' },
        { type: 'text', text: 'b' },
      ],
    }),
  ).toBe('ab');
  expect(messageText({ role: 'answers' })).toBe('');
});
