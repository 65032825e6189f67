import type { PermissionState, ToolCallItem } from '@parley/host/state';
import { expect, test } from 'vitest';
import { durationOf, outcomeOf, toolState } from './tool-state.ts';

const call: ToolCallItem = {
  kind: 'tool-call',
  seq: 1,
  time: 1000,
  toolCallId: 'c',
  call: { toolCallId: 'c' },
};
const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
] as const;
const answered = (decision: string): PermissionState => ({
  requestId: 'r',
  options,
  answer: { decision, by: 'person', reason: '' },
});

test('a call that asks is waiting until it is answered', () => {
  expect(toolState({ ...call, permission: { requestId: 'r', options } })).toBe('waiting');
  expect(
    toolState({ ...call, call: { ...call.call, status: 'in_progress' }, permission: answered('yes') }),
  ).toBe('running');
});

test('a call that failed because it was rejected is shown as rejected', () => {
  const failed = { ...call, call: { ...call.call, status: 'failed' } } as const;
  expect(toolState({ ...failed, permission: answered('no') })).toBe('rejected');
  expect(toolState({ ...failed, permission: answered('yes') })).toBe('failed');
  expect(toolState(failed)).toBe('failed');
});

test('a call that had not begun and was not allowed has a known outcome', () => {
  const ended = { ...call, call: { ...call.call, status: 'pending' }, outcome: 'unknown' } as const;
  expect(toolState({ ...ended, permission: answered('no') })).toBe('rejected');
  expect(toolState({ ...ended, permission: answered('cancelled') })).toBe('cancelled');
  expect(toolState({ ...ended, permission: answered('yes') })).toBe('unknown');
  const begun = { ...ended, call: { ...call.call, status: 'in_progress' } } as const;
  expect(toolState({ ...begun, permission: answered('no') })).toBe('unknown');
});

test('a call whose turn ended is no longer waiting', () => {
  expect(toolState({ ...call, outcome: 'unknown', permission: { requestId: 'r', options } })).toBe('unknown');
});

test('an unknown option has no state', () => {
  expect(outcomeOf(answered('other'))).toBeUndefined();
  expect(outcomeOf(answered('cancelled'))).toBe('cancelled');
});

test("the duration of a call starts when it runs, without the user's time to decide", () => {
  expect(durationOf(call, 5000)).toBeUndefined();
  expect(durationOf({ ...call, startedAt: 3000 }, 5000)).toBe(2000);
  expect(durationOf({ ...call, startedAt: 3000, endedAt: 4000 }, 5000)).toBe(1000);
  expect(durationOf({ ...call, endedAt: 4000 }, 5000)).toBe(3000);
});
