import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TurnTime, type TurnLimits } from './turn-time.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function begin(limits: TurnLimits): { readonly time: TurnTime; readonly nearly: readonly string[] } {
  const nearly: string[] = [];
  const time = new TurnTime({
    ...limits,
    onNearly: ({ limit, leftMs }) => nearly.push(`${limit} ${leftMs}`),
  });
  return { time, nearly };
}

test('a limit is announced shortly before it is reached', () => {
  const { time, nearly } = begin({ timeoutMs: 10_000 });

  vi.advanceTimersByTime(9699);
  expect(nearly).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(nearly).toEqual(['turn 300']);

  vi.advanceTimersByTime(300);
  expect(time.isReached('turn')).toBe(true);
});

test('messages restart the idle timeout, but not the time limit of the turn', () => {
  const { time, nearly } = begin({ timeoutMs: 10_000, idleTimeoutMs: 4000 });
  for (let second = 1; second <= 9; second += 1) {
    vi.advanceTimersByTime(1000);
    time.heard();
  }
  expect(nearly).toEqual([]);

  vi.advanceTimersByTime(1000);

  expect(nearly).toEqual(['turn 300']);
});

test('an update just before the timeout keeps the turn running', () => {
  const { time, nearly } = begin({ idleTimeoutMs: 4000 });
  vi.advanceTimersByTime(3700);
  expect(nearly).toEqual(['silence 300']);

  time.heard();
  expect(time.isReached('silence')).toBe(false);
  vi.advanceTimersByTime(3700);

  expect(nearly).toEqual(['silence 300', 'silence 300']);
});

test('the idle timeout pauses until each question is answered', () => {
  const { time, nearly } = begin({ idleTimeoutMs: 4000 });
  const [first, second] = [time.pause(), time.pause()];
  vi.advanceTimersByTime(60_000);
  first();
  first();
  vi.advanceTimersByTime(60_000);
  expect(nearly).toEqual([]);

  second();
  vi.advanceTimersByTime(3699);
  expect(nearly).toEqual([]);
  vi.advanceTimersByTime(1);

  expect(nearly).toEqual(['silence 300']);
});

test('a question at the last moment pauses the idle timeout', () => {
  const { time, nearly } = begin({ idleTimeoutMs: 4000 });
  vi.advanceTimersByTime(3700);
  const resume = time.pause();
  vi.advanceTimersByTime(300);
  expect(time.isReached('silence')).toBe(false);
  resume();

  vi.advanceTimersByTime(3700);

  expect(nearly).toEqual(['silence 300', 'silence 300']);
});

test("limits beyond a timer's maximum, and ended turns, have no effect", () => {
  const { time, nearly } = begin({ timeoutMs: 2 ** 40, idleTimeoutMs: 10 });
  time.stop();
  vi.advanceTimersByTime(2 ** 32);
  expect(nearly).toEqual([]);

  const endless = begin({ timeoutMs: 2 ** 40 });
  vi.advanceTimersByTime(2 ** 32);

  expect(endless.nearly).toEqual([]);
});
