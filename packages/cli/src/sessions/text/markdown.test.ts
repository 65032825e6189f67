import type { LoggedEvent } from '@parley/host/state';
import { emptyState, reduce } from '@parley/host/state';
import { expect, test } from 'vitest';
import { toMarkdown } from './markdown.ts';

test('a truncated message says where the rest is', () => {
  const text = 'x'.repeat(1024 * 1024);
  const events = Array.from({ length: 6 }, (_, index): LoggedEvent => ({
    seq: index + 1,
    time: index,
    type: 'update',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
  }));
  const view = events.reduce(reduce, emptyState);
  const facts = {
    id: 'key',
    agent: 'parley',
    cwd: '/work',
    state: 'closed',
    turns: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  } as const;

  const page = toMarkdown(facts, view, (words) => words);

  expect(page).toMatch(/x\n\n\*The rest of this message is in the event log\.\*\n$/u);
});
