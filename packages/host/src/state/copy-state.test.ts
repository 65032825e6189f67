import { expect, test } from 'vitest';
import { copyState } from './copy-state.ts';
import { at, push } from './list.ts';
import { emptyState, type SessionState } from './session-state.ts';
import { set } from './table.ts';
import type { MessageItem, ToolCallItem } from './transcript/item.ts';
import { withMore } from './transcript/message.ts';
import { withToolCall } from './transcript/tool-call.ts';

test('a copy of a state has all of its fields', () => {
  // As the type requires all, a new field cannot be forgotten here.
  const whole: Required<SessionState> = {
    ...emptyState,
    key: 'key',
    agent: { name: 'agent' },
    cwd: '/',
    worktree: { name: 'w', branch: 'b', path: '/w' },
    sandbox: { mode: 'workspace', engine: 'bubblewrap' },
    sessionId: 'session',
    title: 'title',
    firstPrompt: { text: 'prompt' },
    lastTurn: { turnId: 'turn', number: 1, startedAt: 1, state: 'running' },
    plan: [],
    modes: { currentModeId: 'm', availableModes: [] },
    configOptions: [],
    models: [],
  };
  expect(copyState(whole)).toStrictEqual(whole);
  expect(copyState(whole)).not.toBe(whole);
  expect(copyState(emptyState)).toStrictEqual(emptyState);
});

const stamp = { seq: 9, time: 9 };

test('a tool call keeps the fields that an update does not change', () => {
  const whole: Required<ToolCallItem> = {
    kind: 'tool-call',
    seq: 1,
    time: 1,
    turnId: 'turn',
    toolCallId: 'call',
    call: { toolCallId: 'call', title: 'title', status: 'in_progress' },
    startedAt: 2,
    endedAt: 3,
    outcome: 'unknown',
    permission: { requestId: 'request', options: [] },
  };
  const state = {
    ...emptyState,
    items: push(emptyState.items, whole),
    progress: { ...emptyState.progress, places: set(emptyState.progress.places, 'tool-call call', 0) },
  };
  const { items } = withToolCall(state, { toolCallId: 'call', title: 'other' }, stamp);
  expect(at(items, 0)).toStrictEqual({ ...whole, call: { ...whole.call, title: 'other' } });
});

test('a message keeps the fields that a chunk does not change', () => {
  const whole: Required<MessageItem> = {
    kind: 'message',
    seq: 1,
    time: 1,
    turnId: 'turn',
    role: 'agent',
    messageId: 'message',
    steering: 'steered',
    blocks: [{ type: 'text', text: 'a' }],
    lastTime: 2,
    cutPieces: 3,
  };
  const state = { ...emptyState, items: push(emptyState.items, whole) };
  const chunk = { content: { type: 'text', text: 'b' } } as const;
  const { items } = withMore(state, 0, { role: 'agent', chunk, stamp });
  expect(at(items, 0)).toStrictEqual({ ...whole, lastTime: 9, cutPieces: 4 });
  const { cutPieces: _cut, ...uncut } = whole;
  const grown = withMore({ ...state, items: push(emptyState.items, uncut) }, 0, {
    role: 'agent',
    chunk,
    stamp,
  });
  expect(at(grown.items, 0)).toStrictEqual({ ...uncut, blocks: [{ type: 'text', text: 'ab' }], lastTime: 9 });
});
