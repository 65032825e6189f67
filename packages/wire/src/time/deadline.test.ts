import { manualClock } from '@parley/conformance';
import { describe, expect, test } from 'vitest';
import { Deadline, type DeadlineOptions, type Expiry } from './deadline.ts';

function start(options: DeadlineOptions): {
  clock: ReturnType<typeof manualClock>;
  deadline: Deadline;
  expired: Expiry[];
} {
  const clock = manualClock();
  const deadline = new Deadline({ ...options, clock });
  const expired: Expiry[] = [];
  deadline.start((expiry) => expired.push(expiry));
  return { clock, deadline, expired };
}

describe('Deadline', () => {
  test('a request out of time expires once', () => {
    const { clock, expired } = start({ timeoutMs: 100 });
    clock.advance(99);
    expect(expired).toEqual([]);
    clock.advance(1);
    clock.advance(1000);
    expect(expired).toEqual(['timeout']);
  });

  test('silence expires, and a word from the peer starts it anew', () => {
    const { clock, deadline, expired } = start({ idleTimeoutMs: 100 });
    clock.advance(90);
    deadline.touch();
    clock.advance(90);
    expect(expired).toEqual([]);
    clock.advance(10);
    expect(expired).toEqual(['idle']);
  });

  test('a pause stops both limits, and pauses add up', () => {
    const { clock, deadline, expired } = start({ timeoutMs: 100, idleTimeoutMs: 50 });
    clock.advance(40);
    const first = deadline.pause();
    const second = deadline.pause();
    clock.advance(10_000);
    first();
    first();
    clock.advance(10_000);
    expect(expired).toEqual([]);
    second();
    clock.advance(49);
    expect(expired).toEqual([]);
    clock.advance(1);
    expect(expired).toEqual(['idle']);
  });

  test('time before a pause counts towards the limit', () => {
    const { clock, deadline, expired } = start({ timeoutMs: 100 });
    clock.advance(60);
    deadline.pause()();
    clock.advance(39);
    expect(expired).toEqual([]);
    clock.advance(1);
    expect(expired).toEqual(['timeout']);
  });

  test('a limit longer than a timer can hold does not expire at once', () => {
    const { clock, expired } = start({ timeoutMs: 2 ** 40 });
    clock.advance(2 ** 31);
    expect(expired).toEqual([]);
  });

  test('a settled request does not expire', () => {
    const { clock, deadline, expired } = start({ timeoutMs: 100 });
    deadline.stop();
    clock.advance(1000);
    expect(expired).toEqual([]);
  });

  test('a deadline is for one request', () => {
    const { deadline } = start({ timeoutMs: 100 });
    expect(() => deadline.start(() => {})).toThrow(TypeError);
  });
});
