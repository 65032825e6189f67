import type { Clock } from '@parley/wire';
import { expect, test } from 'vitest';
import { KeepingRounds } from './keeping-rounds.ts';

/** A clock that goes on only while something is done. */
function workClock(): Clock & { work(ms: number): void; readonly waits: readonly number[]; pass(): void } {
  let now = 0;
  const waits: number[] = [];
  let due: (() => void) | undefined;
  return {
    now: () => now,
    after(ms, run) {
      waits.push(ms);
      due = run;
      return () => undefined;
    },
    work(ms) {
      now += ms;
    },
    waits,
    pass() {
      due?.();
    },
  };
}

const tick = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

test('requests of one tick go in one round at its end', async () => {
  const clock = workClock();
  const rounds = new KeepingRounds(clock, 20);
  const kept: string[] = [];
  rounds.join(() => kept.push('a'));
  rounds.join(() => kept.push('b'));
  expect(kept).toEqual([]);
  await tick();
  expect(kept).toEqual(['a', 'b']);
  expect(clock.waits).toEqual([]);
});

test.each([
  ['one event of each session', 5, [1, 1], 5],
  ['one event of each session', 100, [1, 1, 1], 12.5],
  ['one event of most sessions', 5, [1, 2, 1, 1], 10],
  ['some events of each session', 5, [1, 2, 2, 1], 20],
  ['many events of each session', 5, [7, 3], 40],
  ['many events of one session', 100, [9], 100],
])('after a round with %s that took %d ms the next one waits', async (_what, workMs, counts, restMs) => {
  const clock = workClock();
  const rounds = new KeepingRounds(clock, 100);
  for (const count of counts) {
    rounds.join(() => {
      clock.work(workMs / counts.length);
      return count;
    });
  }
  await tick();
  await tick();
  const kept: string[] = [];
  rounds.join(() => kept.push('later'));
  await tick();
  expect(kept).toEqual([]);
  expect(clock.waits).toEqual([expect.closeTo(restMs)]);
  clock.work(restMs);
  clock.pass();
  expect(kept).toEqual(['later']);
});

test('after a short round requests do not wait', async () => {
  const clock = workClock();
  const rounds = new KeepingRounds(clock, 20);
  rounds.join(() => {
    clock.work(0.1);
    return 9;
  });
  await tick();
  await tick();
  const kept: string[] = [];
  rounds.join(() => kept.push('at once'));
  await tick();
  expect(kept).toEqual(['at once']);
});

test('under load, requests right after a round wait too', async () => {
  const clock = workClock();
  const rounds = new KeepingRounds(clock, 100);
  const kept: string[] = [];
  const work = (): number => {
    clock.work(5);
    return 9;
  };
  rounds.join(work);
  await tick();
  await tick();
  rounds.join(() => {
    rounds.join(() => kept.push('later'));
    return work();
  });
  clock.work(40);
  clock.pass();
  await tick();
  await tick();
  expect(kept).toEqual([]);
  expect(clock.waits).toEqual([expect.closeTo(40), expect.closeTo(40)]);
  clock.work(40);
  clock.pass();
  expect(kept).toEqual(['later']);
});

test('after a quiet time, requests right after a round go at the end of the tick', async () => {
  const rounds = new KeepingRounds(workClock(), 100);
  const kept: string[] = [];
  rounds.join(() => {
    rounds.join(() => kept.push('at once'));
    return 1;
  });
  await tick();
  await tick();
  expect(kept).toEqual(['at once']);
});

test('agents that send in each tick have several events in a round, also after a quiet time', async () => {
  const clock = workClock();
  const rounds = new KeepingRounds(clock, 100);
  const kept: number[] = [];
  let waiting = 0;
  const send = (): void => {
    waiting += 1;
    if (waiting > 1) return;
    rounds.join(() => {
      const count = waiting;
      waiting = 0;
      kept.push(count);
      clock.work(5);
      return count;
    });
  };
  send();
  for (let sent = 1; sent < 6; sent++) {
    await tick();
    send();
  }
  clock.pass();
  expect(kept).toEqual([1, 5]);
});
