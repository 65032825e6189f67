import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentSlot, SlotUser } from './agent-pool.ts';
import { createLimitedPool } from './limited-pool.ts';

const options = { places: 2, waiting: 2, idleMs: 1000 };
const never = { signal: new AbortController().signal };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('there are never more processes than slots', async () => {
  const pool = createLimitedPool(options);
  const first = await pool.acquire(slotUser('a'), never);
  await pool.acquire(slotUser('b'), never);
  const order: string[] = [];
  const third = pool.acquire(slotUser('c'), never).then(() => order.push('c'));
  const fourth = pool.acquire(slotUser('d'), never).then(() => order.push('d'));

  expect(pool).toMatchObject({ taken: 2, waiting: 2 });
  first.release();
  await third;

  expect(order).toEqual(['c']);
  expect(pool).toMatchObject({ taken: 2, waiting: 1 });
  expect(fourth).toBeInstanceOf(Promise);
});

test('the first in the queue gets the next slot, before a session that asks at that moment', async () => {
  const pool = createLimitedPool({ ...options, places: 1 });
  const first = await pool.acquire(slotUser('a'), never);
  const order: string[] = [];
  const second = pool.acquire(slotUser('b'), never).then((place) => {
    order.push('b');
    return place;
  });
  first.release();
  const third = pool.acquire(slotUser('c'), never).then(() => order.push('c'));

  (await second).release();
  await third;

  expect(order).toEqual(['b', 'c']);
});

test('the process that was idle longest is stopped for a waiting session', async () => {
  const pool = createLimitedPool(options);
  const stopped: string[] = [];
  const a = await pool.acquire(slotUser('a', stopped), never);
  const b = await pool.acquire(slotUser('b', stopped), never);
  b.idle();
  a.idle();

  await pool.acquire(slotUser('c'), never);

  expect(stopped).toEqual(['b']);
  expect(b.use()).toBe(false);
  expect(a.use()).toBe(true);
});

test('a process that becomes idle while a session waits is stopped at once', async () => {
  const pool = createLimitedPool({ ...options, places: 1 });
  const stopped: string[] = [];
  const a = await pool.acquire(slotUser('a', stopped), never);
  const waiting = pool.acquire(slotUser('b'), never);

  a.idle();
  await waiting;

  expect(stopped).toEqual(['a']);
});

test('an unused process is stopped after a delay, and never while it is used', async () => {
  const pool = createLimitedPool(options);
  const stopped: string[] = [];
  const a = await pool.acquire(slotUser('a', stopped), never);
  a.idle();
  await vi.advanceTimersByTimeAsync(999);
  a.use();
  await vi.advanceTimersByTimeAsync(5000);
  expect(stopped).toEqual([]);

  a.idle();
  await vi.advanceTimersByTimeAsync(1000);

  expect(stopped).toEqual(['a']);
  expect(pool.taken).toBe(0);
});

test('a slot is freed once', async () => {
  const pool = createLimitedPool(options);
  const a = await pool.acquire(slotUser('a'), never);
  await pool.acquire(slotUser('b'), never);

  a.release();
  a.release();

  expect(pool.taken).toBe(1);
});

test('an aborted wait ends', async () => {
  const pool = createLimitedPool({ ...options, places: 1 });
  const a = await pool.acquire(slotUser('a'), never);
  const given = new AbortController();
  const waiting = pool.acquire(slotUser('b'), { signal: given.signal });

  given.abort(new Error('enough'));

  await expect(waiting).rejects.toThrow('enough');
  a.release();
  expect(pool).toMatchObject({ taken: 0, waiting: 0 });
});

test('when the queue is full, the next is rejected', async () => {
  const pool = createLimitedPool({ ...options, places: 1, waiting: 1 });
  await pool.acquire(slotUser('a'), never);
  const waiting = pool.acquire(slotUser('b'), never);

  await expect(pool.acquire(slotUser('c'), never)).rejects.toMatchObject({ code: 'overloaded' });

  expect(waiting).toBeInstanceOf(Promise);
});

test('a waiting session is notified, and rejected if no slot becomes free in time', async () => {
  const pool = createLimitedPool({ ...options, places: 1, waitMs: 3000 });
  const a = await pool.acquire(slotUser('a'), never);
  const reported: number[] = [];
  const onWait = (waitMs: number): void => void reported.push(waitMs);
  const long = pool.acquire(slotUser('b'), { ...never, onWait });
  const short = pool.acquire(slotUser('c'), { ...never, onWait, waitMs: 1000 });
  const refused = expect(long).rejects.toMatchObject({
    code: 'overloaded',
    message: expect.stringContaining('3 s'),
  });
  const refusedFirst = expect(short).rejects.toMatchObject({ code: 'overloaded' });

  expect(reported).toEqual([3000, 1000]);
  await vi.advanceTimersByTimeAsync(1000);
  await refusedFirst;
  expect(pool.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(2000);
  await refused;

  a.release();
  expect(pool).toMatchObject({ taken: 0, waiting: 0 });
});

test('a waiting session is notified of its position in the queue, and of each change', async () => {
  const pool = createLimitedPool({ ...options, places: 1, waiting: 3 });
  const a = await pool.acquire(slotUser('a'), never);
  const reported: string[] = [];
  const wait = (name: string, signal = never.signal): Promise<AgentSlot> =>
    pool.acquire(slotUser(name), { signal, onAhead: (ahead) => reported.push(`${name} ${String(ahead)}`) });
  const given = new AbortController();
  const b = wait('b');
  const refused = expect(wait('c', given.signal)).rejects.toThrow('enough');
  const d = wait('d');
  expect(reported).toEqual(['b 0', 'c 1', 'd 2']);

  given.abort(new Error('enough'));
  await refused;
  expect(reported.slice(3)).toEqual(['d 1']);
  a.release();
  (await b).release();
  await d;
  expect(reported.slice(4)).toEqual(['d 0']);
});

test('a process that waits for an answer is stopped for another session after a delay', async () => {
  const pool = createLimitedPool({ ...options, pausedMs: 500 });
  const stopped: string[] = [];
  const a = await pool.acquire(slotUser('a', stopped), never);
  const b = await pool.acquire(slotUser('b', stopped), never);
  a.pause();
  b.pause();
  const waiting = pool.acquire(slotUser('c'), never);
  await vi.advanceTimersByTimeAsync(499);
  expect(stopped).toEqual([]);

  await vi.advanceTimersByTimeAsync(1);
  await waiting;

  expect(stopped).toEqual(['a']);
  expect(a.use()).toBe(false);
  expect(b.use()).toBe(true);
});

test('an idle process is stopped before a process that waits for an answer, which is stopped only when needed', async () => {
  const pool = createLimitedPool({ ...options, pausedMs: 500 });
  const stopped: string[] = [];
  const a = await pool.acquire(slotUser('a', stopped), never);
  const b = await pool.acquire(slotUser('b', stopped), never);
  a.pause();
  await vi.advanceTimersByTimeAsync(100_000);
  b.idle();
  expect(stopped).toEqual([]);

  await pool.acquire(slotUser('c'), never);

  expect(stopped).toEqual(['b']);
  expect(pool.idle).toBe(0);
});

test('a process that cannot be stopped properly frees its slot', async () => {
  const pool = createLimitedPool({ ...options, places: 1 });
  const a: AgentSlot = await pool.acquire(
    { sessionId: 'a', stop: () => Promise.reject(new Error('stuck')) },
    never,
  );
  a.idle();

  await pool.acquire(slotUser('b'), never);

  expect(pool.taken).toBe(1);
});

function slotUser(sessionId: string, stopped: string[] = []): SlotUser {
  return {
    sessionId,
    stop: () => {
      stopped.push(sessionId);
      return Promise.resolve();
    },
  };
}
