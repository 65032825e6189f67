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

test('what joins in one tick goes in one round, at its end', async () => {
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

test('after a round that took long the next one waits four times as long, up to a bound', async () => {
  const clock = workClock();
  const rounds = new KeepingRounds(clock, 50);
  for (const [workMs, restMs] of [
    [5, 20],
    [100, 50],
  ] as const) {
    rounds.join(() => clock.work(workMs));
    await tick();
    await tick();
    const kept: string[] = [];
    rounds.join(() => kept.push('later'));
    await tick();
    expect(kept).toEqual([]);
    expect(clock.waits.at(-1)).toBe(restMs);
    clock.work(restMs);
    clock.pass();
    expect(kept).toEqual(['later']);
    await tick();
    await tick();
  }
});

test('after a short round nothing waits', async () => {
  const clock = workClock();
  const rounds = new KeepingRounds(clock, 20);
  rounds.join(() => clock.work(0.2));
  await tick();
  await tick();
  const kept: string[] = [];
  rounds.join(() => kept.push('at once'));
  await tick();
  expect(kept).toEqual(['at once']);
});
