import { expect, test } from 'vitest';
import { toStep } from './turn-steps.ts';

const turn = { sessionId: 's', turnId: 't' };

test('the steps of a cancelled turn are printed, except the one that the host reports itself', () => {
  expect(toStep({ type: 'turn-cancel', ...turn, step: 'asked' })).toEqual({
    type: 'diagnostic',
    level: 'info',
    code: 'turn-cancel',
    message: 'session/cancel was sent',
  });
  expect(toStep({ type: 'turn-cancel', ...turn, step: 'request-cancelled' })?.message).toContain(
    '$/cancel_request',
  );
  expect(toStep({ type: 'turn-cancel', ...turn, step: 'agent-ended' })).toBeUndefined();
});

test('reaching a limit is printed together with what the turn waits for', () => {
  const waitsFor = { silentMs: 5000, toolCalls: [], questions: 0 };
  expect(toStep({ type: 'turn-timeout', ...turn, limit: 'silence', limitMs: 5000, waitsFor })).toEqual({
    type: 'diagnostic',
    level: 'warning',
    code: 'turn-timeout',
    message: 'the agent was silent for 5.0 s; no tool call is open',
  });
});

test('other events are not steps', () => {
  expect(toStep({ type: 'stderr', text: 'x' })).toBeUndefined();
});
