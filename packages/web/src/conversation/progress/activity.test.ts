import type { LoggedEntry } from '@parley/host/state';
import { expect, test } from 'vitest';
import { viewOf } from '../../../gallery/fake-hub.ts';
import { activityOf, silenceOf } from './activity.ts';

const begin = Date.UTC(2026, 10, 22, 9);
const start: LoggedEntry = {
  type: 'turn-start',
  sessionId: 's',
  turnId: 't',
  prompt: [{ type: 'text', text: 'go' }],
};
const update = (sessionUpdate: string, fields: object): LoggedEntry => ({
  type: 'update',
  update: { sessionUpdate, ...fields },
});
const call = (toolCallId: string, status: string): LoggedEntry =>
  update('tool_call', { toolCallId, title: `Run ${toolCallId}`, status });
const say = (role: string): LoggedEntry => update(role, { content: { type: 'text', text: 'hm' } });
const ask = (requestId: string): LoggedEntry => ({
  type: 'permission-request',
  sessionId: 's',
  requestId,
  toolCall: { toolCallId: 'a' },
  options: [],
});

test('without a turn there is no activity', () => {
  expect(activityOf(viewOf([]))).toBeUndefined();
  const end: LoggedEntry = { type: 'turn-end', sessionId: 's', turnId: 't', stopReason: 'end_turn' };
  expect(activityOf(viewOf([start, end]))).toBeUndefined();
});

test('a turn without output waits for the model', () => {
  expect(activityOf(viewOf([start]))).toEqual({ kind: 'model', since: begin });
  expect(activityOf(viewOf([start, say('agent_thought_chunk')]))).toEqual({
    kind: 'thinking',
    since: begin + 1000,
  });
  expect(activityOf(viewOf([start, say('agent_message_chunk')]))).toMatchObject({ kind: 'answering' });
});

test('a turn with running calls waits for them, since the first started', () => {
  expect(activityOf(viewOf([start, call('a', 'in_progress'), say('agent_message_chunk')]))).toMatchObject({
    kind: 'tool',
    call: { title: 'Run a' },
    count: 1,
    since: begin + 1000,
  });
  expect(activityOf(viewOf([start, call('a', 'in_progress'), call('b', 'in_progress')]))).toEqual({
    kind: 'tool',
    count: 2,
    since: begin + 1000,
  });
  expect(activityOf(viewOf([start, call('a', 'completed')]))).toMatchObject({ kind: 'model' });
});

test('waiting for the user takes precedence', () => {
  expect(
    activityOf(viewOf([start, call('b', 'in_progress'), call('a', 'pending'), ask('r'), ask('q')])),
  ).toEqual({ kind: 'permission', count: 2, since: begin + 3000 });
});

test('a turn that is being stopped shows the current step', () => {
  const cancel: LoggedEntry = {
    type: 'turn-cancel',
    sessionId: 's',
    turnId: 't',
    step: 'request-cancelled',
  };
  expect(activityOf(viewOf([start, cancel]))).toMatchObject({ kind: 'stopping', step: 'request-cancelled' });
});

test('a long silence is shown', () => {
  const view = viewOf([start]);
  expect(silenceOf(view, begin + 1000)).toBeUndefined();
  expect(silenceOf(view, begin + 30_000)).toBe(30_000);
});
