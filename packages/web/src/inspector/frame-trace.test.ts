import { expect, test } from 'vitest';
import type { FrameRow, RawFrame } from './frame-row.ts';
import { FrameTrace } from './frame-trace.ts';
import { framesOf, into, out } from './frame.fixture.ts';

test('a response has the method, session, turn and duration of its request', () => {
  const { rows } = follow(
    out({ id: 1, method: 'session/prompt', params: { sessionId: 's' } }),
    into({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'plan' } } }),
    into({ id: 1, result: { stopReason: 'end_turn' } }),
  );
  expect(rows[1]).toMatchObject({ kind: 'notification', update: 'plan', session: 's', turn: 1, prompt: 1 });
  expect(rows[2]).toMatchObject({
    kind: 'result',
    method: 'session/prompt',
    session: 's',
    turn: 1,
    prompt: 1,
    answers: 1,
    latencyMs: 200,
  });
});

test('both sides can use the same id, and each response matches its own request', () => {
  const { rows, trace } = follow(
    out({ id: 1, method: 'session/prompt', params: { sessionId: 's' } }),
    into({ id: 1, method: 'fs/read_text_file', params: { sessionId: 's' } }),
    out({ id: 1, result: { content: '' } }),
  );
  expect(rows[2]).toMatchObject({ method: 'fs/read_text_file', answers: 2, latencyMs: 100 });
  expect(trace.isWaiting(1)).toBe(true);
  expect(trace.isWaiting(2)).toBe(false);
});

test('1 and "1" are two ids', () => {
  const { rows } = follow(
    out({ id: 1, method: 'session/list', params: {} }),
    out({ id: '1', method: 'session/new', params: {} }),
    into({ id: '1', result: { sessionId: 's' } }),
    into({ id: 1, error: { code: -32603, message: 'no' } }),
  );
  expect(rows[2]).toMatchObject({ method: 'session/new', answers: 2, session: 's' });
  expect(rows[3]).toMatchObject({ kind: 'error', method: 'session/list', answers: 1, code: -32603 });
});

test('frames between turns belong to no turn, and turns are counted per session', () => {
  const update = (sessionId: string): Sent =>
    into({ method: 'session/update', params: { sessionId, update: {} } });
  const { rows } = follow(
    update('a'),
    out({ id: 1, method: 'session/prompt', params: { sessionId: 'a' } }),
    update('b'),
    into({ id: 1, result: { stopReason: 'end_turn' } }),
    update('a'),
    out({ id: 2, method: 'session/prompt', params: { sessionId: 'a' } }),
    update('a'),
  );
  expect(rows.map(({ turn }) => turn)).toEqual([undefined, 1, undefined, 1, undefined, 2, 2]);
});

test('a cancelled request has its session', () => {
  const { rows } = follow(
    out({ id: 7, method: 'session/prompt', params: { sessionId: 's' } }),
    out({ method: '$/cancel_request', params: { requestId: 7 } }),
  );
  expect(rows[1]).toMatchObject({ method: '$/cancel_request', session: 's', turn: 1 });
});

test('a permission and its tool call belong together', () => {
  const { rows } = follow(
    into({ method: 'session/update', params: { update: { sessionUpdate: 'tool_call', toolCallId: 'c' } } }),
    into({ id: 1, method: 'session/request_permission', params: { toolCall: { toolCallId: 'c' } } }),
  );
  expect(rows.map(({ toolCall }) => toolCall)).toEqual(['c', 'c']);
});

test('a new connection ends the pending requests of the previous one', () => {
  const { rows, trace } = follow(
    out({ id: 1, method: 'session/prompt', params: { sessionId: 's' } }),
    out({ id: 0, method: 'initialize', params: {} }),
    into({ id: 1, result: {} }),
  );
  expect(trace.isWaiting(1)).toBe(false);
  expect(trace.isWaiting(2)).toBe(true);
  expect(rows[2]).not.toHaveProperty('answers');
});

test('an invalid frame is shown as a fault', () => {
  const { rows } = follow(
    { direction: 'in', fault: 'malformed' },
    { direction: 'in', message: [1] },
    { direction: 'in', message: { id: 1 } },
    into({ id: 9, result: {} }),
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['fault', 'unknown', 'unknown', 'result']);
  expect(rows[0]).toMatchObject({ fault: 'malformed', text: '', size: 0 });
  expect(rows[3]).not.toHaveProperty('answers');
});

test('the size is that of the frame on the wire', () => {
  const { rows } = follow({ direction: 'in', message: '会' });
  expect(rows[0]).toMatchObject({ text: '"会"', size: 5 });
});

test('a message deeper than the stack is a fault', () => {
  const depth = 200_000;
  const message: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const { rows } = follow({ direction: 'in', message });
  expect(rows[0]).toMatchObject({ kind: 'fault', text: '' });
});

type Sent = Pick<RawFrame, 'direction' | 'message' | 'fault'>;

function follow(...sent: readonly Sent[]): {
  readonly rows: readonly FrameRow[];
  readonly trace: FrameTrace;
} {
  const trace = new FrameTrace();
  return { rows: framesOf(...sent).map((frame) => trace.follow(frame)), trace };
}
