import { expect, test } from 'vitest';
import { FrameLog } from './frame-log.ts';
import { framesOf, into, out } from './frame.fixture.ts';

const notice = into({ method: 'session/update', params: { update: { sessionUpdate: 'plan' } } });

test('frames received again after a lost connection are stored once', () => {
  const log = new FrameLog();
  const frames = framesOf(notice, notice, notice);
  log.take(frames.slice(0, 2));
  log.take(frames);
  expect(log.rows.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test('when numbering restarts, earlier frames are removed', () => {
  const log = new FrameLog();
  log.take(framesOf(notice, notice, notice));
  log.take([{ seq: 1, time: 5000, ...out({ id: 1, method: 'initialize' }) }]);
  expect(log.rows).toMatchObject([{ seq: 1, method: 'initialize' }]);
  expect([...log.names]).toEqual([['initialize', 1]]);
});

test('the oldest frames are dropped, with their data', () => {
  const log = new FrameLog({ frames: 10 });
  log.take(
    framesOf(
      out({ id: 1, method: 'initialize' }),
      into({ id: 1, result: {} }),
      ...Array.from({ length: 9 }, () => notice),
    ),
  );
  expect(log.rows).toHaveLength(9);
  expect(log.dropped).toBe(2);
  expect([...log.names]).toEqual([['session/update plan', 9]]);
  expect(log.answerTo(1)).toBeUndefined();
  log.take([{ seq: 12, time: 9000, ...notice }]);
  expect(log.rows).toHaveLength(10);
});

test('large frames displace small ones, and the newest always stays', () => {
  const log = new FrameLog({ bytes: 1000 });
  log.take(framesOf(notice, notice, into({ id: 1, result: 'x'.repeat(2000) })));
  expect(log.rows).toMatchObject([{ seq: 3 }]);
});

test('a request finds its answer', () => {
  const log = new FrameLog();
  log.take(framesOf(out({ id: 1, method: 'session/new' })));
  expect(log.isWaiting(1)).toBe(true);
  log.take([{ seq: 2, time: 1200, ...into({ id: 1, result: { sessionId: 's' } }) }]);
  expect(log.isWaiting(1)).toBe(false);
  expect(log.answerTo(1)).toMatchObject({ seq: 2, latencyMs: 200 });
  expect(log.find(2)).toMatchObject({ kind: 'result' });
});
