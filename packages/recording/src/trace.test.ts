import { expect, test } from 'vitest';
import type { FrameDirection, RecordedFrame } from './entry.ts';
import { Trace } from './trace.ts';

test('a response has the method, session, turn and duration of its request', () => {
  const trace = new Trace();
  trace.follow(frame(1, 'out', { id: 1, method: 'session/prompt', params: { sessionId: 's' } }));

  expect(trace.follow(frame(2, 'in', { id: 1, result: { stopReason: 'end_turn' } }))).toMatchObject({
    method: 'session/prompt',
    session: 's',
    turn: 1,
    prompt: 1,
    answers: 1,
    latencyMs: 100,
  });
  expect(trace.open).toEqual([]);
});

test('requests of a connection before the last initialize stay open, and do not count as waiting', () => {
  const trace = new Trace();
  trace.follow(frame(1, 'out', { id: 1, method: 'session/prompt', params: { sessionId: 's' } }));
  trace.follow(frame(2, 'out', { id: 0, method: 'initialize', params: {} }));
  const late = trace.follow(frame(3, 'in', { id: 1, result: {} }));

  expect(late).not.toHaveProperty('answers');
  expect(trace.open.map(({ seq }) => seq)).toEqual([1, 2]);
  expect([trace.isWaiting(1), trace.isWaiting(2)]).toEqual([false, true]);
});

test('a request under an id that is still open replaces the one before', () => {
  const trace = new Trace();
  trace.follow(frame(1, 'in', { id: 7, method: 'fs/read_text_file', params: {} }));
  trace.follow(frame(2, 'in', { id: 7, method: 'fs/write_text_file', params: {} }));

  expect(trace.isWaiting(1)).toBe(false);
  expect(trace.follow(frame(3, 'out', { id: 7, result: {} }))).toMatchObject({ answers: 2 });
});

function frame(seq: number, direction: FrameDirection, message: unknown): RecordedFrame {
  return { kind: 'frame', seq, time: seq * 100, direction, message };
}
