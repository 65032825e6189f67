import { PassThrough } from 'node:stream';
import { manualClock } from '@parley/conformance';
import { readingMs } from '@parley/host/state';
import { beforeEach, expect, test } from 'vitest';
import { takeEarlyKeys, type KeySource } from './early-keys.ts';

let keys: PassThrough;
let modes: boolean[];
let interrupts: number;
let clock: ReturnType<typeof manualClock>;

beforeEach(() => {
  keys = new PassThrough();
  modes = [];
  interrupts = 0;
  clock = manualClock();
});

function discard(signal: AbortSignal = new AbortController().signal): Promise<boolean> {
  const source = Object.assign(keys, {
    setRawMode: (isRaw: boolean) => {
      modes.push(isRaw);
      return source;
    },
  });
  const input: KeySource = source;
  const options = {
    clock,
    signal,
    onInterrupt: () => {
      interrupts += 1;
    },
  };
  return takeEarlyKeys(input, options);
}

/** Lets what was written reach its reader. */
function delivered(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

test('keys are accepted after the reading time, if nothing was typed before', async () => {
  const early = discard();
  clock.advance(readingMs - 1);
  expect(clock.timers).toBe(1);
  clock.advance(1);
  expect(await early).toBe(false);
  expect(modes).toEqual([true, false]);
});

test('a key typed earlier is discarded and restarts the reading time', async () => {
  const early = discard();
  clock.advance(readingMs - 1);
  keys.write('y');
  await delivered();
  clock.advance(readingMs - 1);
  expect(clock.timers).toBe(1);
  clock.advance(1);
  expect(await early).toBe(true);
  expect(keys.read()).toBeNull();
});

test('a key that was buffered while the process was stopped is early too', async () => {
  const early = discard();
  keys.write('y');
  clock.advance(10_000);
  await delivered();
  clock.advance(readingMs);
  expect(await early).toBe(true);
});

test('Ctrl-C is never too early', async () => {
  const early = discard();
  keys.write('ab\u0003');
  expect(await early).toBe(false);
  expect(interrupts).toBe(1);
  expect(clock.timers).toBe(0);
});

test('waiting ends with the input, and when the question is withdrawn', async () => {
  const asking = new AbortController();
  const early = discard(asking.signal);
  asking.abort();
  expect(await early).toBe(false);
  const later = discard();
  keys.end();
  expect(await later).toBe(false);
});
