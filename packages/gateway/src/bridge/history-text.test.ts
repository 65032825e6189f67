import { expect, test } from 'vitest';
import { historyText } from './history-text.ts';

test('a history is written with its calls and results, instructions first', () => {
  const history = historyText([
    { role: 'user', content: 'Read x.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'I will.' },
        { type: 'tool_use', toolCallId: 'a', name: 'read', input: { path: 'x' } },
      ],
    },
    { role: 'tool', toolCallId: 'a', content: 'It is empty.' },
    { role: 'system', content: 'Be brief.' },
  ]);

  expect(history?.text).toBe(
    [
      '## Instructions',
      'Be brief.',
      '## Conversation so far',
      '**User:** Read x.',
      '**Assistant:** I will.\n[called read as a with {"path":"x"}]',
      '**Result of a:** It is empty.',
    ].join('\n\n'),
  );
});

test('an empty history has no text', () => {
  expect(historyText([])).toBeUndefined();
});

test('a long history has the latest messages and the number of omitted ones', () => {
  const message = { role: 'user', content: 'x'.repeat(50_000) } as const;
  const history = historyText([
    ...Array.from({ length: 9 }, () => message),
    { role: 'user', content: 'last' },
  ]);

  expect(history?.text.length).toBeLessThan(201_000);
  expect(history?.text).toContain('[6 earlier messages omitted]');
  expect(history?.text.endsWith('**User:** last')).toBe(true);
});
