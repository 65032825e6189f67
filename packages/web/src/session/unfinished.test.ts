import { emptyState, parseLoggedEvent, reduce, type SessionState } from '@parley/host/state';
import { expect, test } from 'vitest';
import { unfinishedOf } from './unfinished.ts';

/** The view of a session in which these things happened. */
function viewOf(...entries: readonly object[]): SessionState {
  let view = emptyState;
  for (const [index, entry] of entries.entries()) {
    const event = parseLoggedEvent({ seq: index + 1, time: index + 1, ...entry });
    if (event !== undefined) view = reduce(view, event);
  }
  return view;
}

const start = { type: 'journal-start', key: 'a', agent: 'parley', cwd: '/w', program: 'test' };
const turn = { type: 'turn-start', turnId: 't', sessionId: 's', prompt: [] };

function call(toolCallId: string, status: string): object {
  return {
    type: 'update',
    update: { sessionUpdate: 'tool_call', toolCallId, title: `Call ${toolCallId}`, status },
  };
}

test('a session without a turn has nothing unfinished', () => {
  expect(unfinishedOf(viewOf(start))).toEqual({ isTurn: false, calls: [] });
});

test('an interrupted turn lists its unfinished calls', () => {
  const view = viewOf(start, turn, call('a', 'completed'), call('b', 'in_progress'), call('c', 'pending'));
  expect(unfinishedOf(view)).toEqual({ isTurn: true, calls: ['Call b', 'Call c'] });
});

test('the end of the agent is shown until it is back', () => {
  const crash = [start, turn, { type: 'agent-end', expected: false, signal: 'SIGKILL' }];
  expect(unfinishedOf(viewOf(...crash)).end).toMatchObject({ signal: 'SIGKILL' });
  expect(
    unfinishedOf(viewOf(...crash, { type: 'session-recovered', sessionId: 's', by: 'resume' })).end,
  ).toBeUndefined();
});

test('a turn that ended normally leaves nothing unfinished', () => {
  const view = viewOf(start, turn, call('a', 'completed'), {
    type: 'turn-end',
    turnId: 't',
    sessionId: 's',
    stopReason: 'end_turn',
  });
  expect(unfinishedOf(view)).toEqual({ isTurn: false, calls: [] });
});
