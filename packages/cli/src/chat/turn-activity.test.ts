import { expect, test } from 'vitest';
import { TurnActivity } from './turn-activity.ts';

test('while a question is open, the line of activity says nothing about lines for the turn', () => {
  const activity = new TurnActivity();
  const keys = { isStopping: false, takesSteering: true };
  activity.begin();
  const request = { sessionId: 's', requestId: 'r', options: [] };
  expect(activity.text(keys)).toContain('Enter sends a line into the turn');

  activity.takeQuestion({ ...request, type: 'permission-request', toolCall: { toolCallId: 'c' } });
  expect(activity.text(keys)).toMatch(/Ctrl-C stops$/u);

  const answered = { decision: 'cancelled', by: 'person', reason: 'dismissed', toolCallId: 'c' } as const;
  activity.takeQuestion({ ...request, ...answered, type: 'permission' });
  expect(activity.text(keys)).toContain('Enter sends a line into the turn');
});
