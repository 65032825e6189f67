import { expect, test } from 'vitest';
import { firstLine, messageText } from './message-text.ts';

test('a text message is its texts', () => {
  const image = { type: 'image', data: '', mimeType: 'image/png' } as const;
  const text = (said: string) => ({ type: 'text', text: said }) as const;
  expect(messageText({ blocks: [text('a'), image, text('b')] })).toBe('a\n\nb');
});

test('a thought is shown as one line: the first, and the last while it is streamed', () => {
  const thought = '\n## **Looking** at `a.ts`\n\nIt says nothing.\n\n- more\n';
  expect(firstLine(thought, false)).toBe('Looking at a.ts');
  expect(firstLine(thought, true)).toBe('more');
  expect(firstLine('', true)).toBe('');
});
