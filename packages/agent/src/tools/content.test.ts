import { expect, test } from 'vitest';
import { codeContent } from './content.ts';

test('code is fenced', () => {
  expect(codeContent('a\nb')).toEqual({ type: 'content', content: { type: 'text', text: '```\na\nb\n```' } });
});

test('the fence is longer than any in the code', () => {
  expect(codeContent('````\nx\n````\n')).toEqual({
    type: 'content',
    content: { type: 'text', text: '`````\n````\nx\n````\n`````' },
  });
});
