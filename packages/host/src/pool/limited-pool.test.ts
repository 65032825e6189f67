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

test('there are never more processes than places', async () => {
  const pool = createLimitedPool(options);
  const first = await pool.acquire(tenant('a'), never);
  await pool.acquire(tenant('b'), never);
  const order: string[] = [];
  const third = pool.acquire(tenant('c'), never).then(() => order.push('c'));
  const fourth = pool.acquire(tenant('d'), never).then(() => order.push('d'));

  expect(pool).toMatchObject({ taken: 2, waiting: 2 });
  first.release();
  await third;

  expect(order).toEqual(['c']);
  expect(pool).toMatchObject({ taken: 2, waiting: 1 });
  expect(fourth).toBeInstanceOf(Promise);
});

test('who came first gets the next place, also before somebody who comes just then', async () => {
  const pool = createLimitedPool({ ...options, places: 1 });
  const first = await pool.acquire(tenant('a'), never);
  const order: string[] = [];
  const second = pool.acquire(tenant('b'), never).then((place) => {
    order.push('b');
    return place;
  });
  first.release();
  const third = pool.acquire(tenant('c'), never).then(() => order.push('c'));

  (await second).release();
  await third;

  expect(order).toEqual(['b', 'c']);
});

test('the process that has been idle for the longest time is stopped for one that waits', async () => {
  const pool = createLimitedPool(options);
  const stopped: string[] = [];
  const a = await pool.acquire(tenant('a', stopped), never);
  const b = await pool.acquire(tenant('b', stopped), never);
  b.idle();
  a.idle();

  await pool.acquire(tenant('c'), never);

  expect(stopped).toEqual(['b']);
  expect(b.use()).toBe(false);
  expect(a.use()).toBe(true);
});

test('a process that becomes idle while somebody waits is stopped at once', async () => {
  const pool = createLimitedPool({ ...options, places: 1 });
  const stopped: string[] = [];
  const a = await pool.acquire(tenant('a', stopped), never);
  const waiting = pool.acquire(tenant('b'), never);

  a.idle();
  await waiting;

  expect(stopped).toEqual(['a']);
});

test('a process that nobody uses is stopped after a while, and not while it is used', async () => {
  const pool = createLimitedPool(options);
  const stopped: string[] = [];
  const a = await pool.acquire(tenant('a', stopped), never);
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

test('a place is given back once', async () => {
  const pool = createLimitedPool(options);
  const a = await pool.acquire(tenant('a'), never);
  await pool.acquire(tenant('b'), never);

  a.release();
  a.release();

  expect(pool.taken).toBe(1);
});

test('whoever no longer wants to wait does not', async () => {
  const pool = createLimitedPool({ ...options, places: 1 });
  const a = await pool.acquire(tenant('a'), never);
  const given = new AbortController();
  const waiting = pool.acquire(tenant('b'), { signal: given.signal });

  given.abort(new Error('enough'));

  await expect(waiting).rejects.toThrow('enough');
  a.release();
  expect(pool).toMatchObject({ taken: 0, waiting: 0 });
});

test('when too many wait already, the next is refused', async () => {
  const pool = createLimitedPool({ ...options, places: 1, waiting: 1 });
  await pool.acquire(tenant('a'), never);
  const waiting = pool.acquire(tenant('b'), never);

  await expect(pool.acquire(tenant('c'), never)).rejects.toMatchObject({ code: 'overloaded' });

  expect(waiting).toBeInstanceOf(Promise);
});

test('whoever waits is told so, and is refused when nothing was free for too long', async () => {
  const pool = createLimitedPool({ ...options, places: 1, waitMs: 3000 });
  const a = await pool.acquire(tenant('a'), never);
  const told: number[] = [];
  const onWait = (waitMs: number): void => void told.push(waitMs);
  const long = pool.acquire(tenant('b'), { ...never, onWait });
  const short = pool.acquire(tenant('c'), { ...never, onWait, waitMs: 1000 });
  const refused = expect(long).rejects.toMatchObject({
    code: 'overloaded',
    message: expect.stringContaining('3 s'),
  });
  const refusedFirst = expect(short).rejects.toMatchObject({ code: 'overloaded' });

  expect(told).toEqual([3000, 1000]);
  await vi.advanceTimersByTimeAsync(1000);
  await refusedFirst;
  expect(pool.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(2000);
  await refused;

  a.release();
  expect(pool).toMatchObject({ taken: 0, waiting: 0 });
});

test('whoever waits hears how many wait before it, and again when they are fewer', async () => {
  const pool = createLimitedPool({ ...options, places: 1, waiting: 3 });
  const a = await pool.acquire(tenant('a'), never);
  const told: string[] = [];
  const wait = (name: string, signal = never.signal): Promise<AgentSlot> =>
    pool.acquire(tenant(name), { signal, onAhead: (ahead) => told.push(`${name} ${String(ahead)}`) });
  const given = new AbortController();
  const b = wait('b');
  const refused = expect(wait('c', given.signal)).rejects.toThrow('enough');
  const d = wait('d');
  expect(told).toEqual(['b 0', 'c 1', 'd 2']);

  given.abort(new Error('enough'));
  await refused;
  expect(told.slice(3)).toEqual(['d 1']);
  a.release();
  (await b).release();
  await d;
  expect(told.slice(4)).toEqual(['d 0']);
});

test('a process that waits for somebody is stopped for another session once that has taken a while', async () => {
  const pool = createLimitedPool({ ...options, pausedMs: 500 });
  const stopped: string[] = [];
  const a = await pool.acquire(tenant('a', stopped), never);
  const b = await pool.acquire(tenant('b', stopped), never);
  a.pause();
  b.pause();
  const waiting = pool.acquire(tenant('c'), never);
  await vi.advanceTimersByTimeAsync(499);
  expect(stopped).toEqual([]);

  await vi.advanceTimersByTimeAsync(1);
  await waiting;

  expect(stopped).toEqual(['a']);
  expect(a.use()).toBe(false);
  expect(b.use()).toBe(true);
});

test('an idle process is stopped before one that waits for somebody, which nobody stops without need', async () => {
  const pool = createLimitedPool({ ...options, pausedMs: 500 });
  const stopped: string[] = [];
  const a = await pool.acquire(tenant('a', stopped), never);
  const b = await pool.acquire(tenant('b', stopped), never);
  a.pause();
  await vi.advanceTimersByTimeAsync(100_000);
  b.idle();
  expect(stopped).toEqual([]);

  await pool.acquire(tenant('c'), never);

  expect(stopped).toEqual(['b']);
  expect(pool.idle).toBe(0);
});

test('a process that cannot be stopped properly gives its place back all the same', async () => {
  const pool = createLimitedPool({ ...options, places: 1 });
  const a: AgentSlot = await pool.acquire(
    { sessionId: 'a', stop: () => Promise.reject(new Error('stuck')) },
    never,
  );
  a.idle();

  await pool.acquire(tenant('b'), never);

  expect(pool.taken).toBe(1);
});

function tenant(sessionId: string, stopped: string[] = []): SlotUser {
  return {
    sessionId,
    stop: () => {
      stopped.push(sessionId);
      return Promise.resolve();
    },
  };
}
