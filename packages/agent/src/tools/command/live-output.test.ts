import { expect, test } from 'vitest';
import type { Clock } from '../../environment.ts';
import { LiveOutput } from './live-output.ts';

/** A clock whose sleeps end when the test says so. */
function handClock(): Clock & { wake(): Promise<void> } {
  let wakeUp = (): void => undefined;
  return {
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) reject(new Error('aborted'));
        wakeUp = resolve;
        signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      }),
    breathe: () => Promise.resolve(),
    wake: async () => {
      await new Promise(setImmediate);
      wakeUp();
      await new Promise(setImmediate);
    },
  };
}

function open(limitChars = 100) {
  const shown: string[] = [];
  const clock = handClock();
  const show = (text: string): Promise<void> => {
    shown.push(text);
    return Promise.resolve();
  };
  return { shown, clock, live: new LiveOutput({ clock, intervalMs: 200, limitChars, show }) };
}

test('the first output is shown at once, later output once per interval', async () => {
  const { shown, clock, live } = open();
  live.append('a');
  live.append('b');
  live.append('c');
  expect(shown).toEqual(['a']);
  await clock.wake();
  expect(shown).toEqual(['a', 'abc']);
  await live[Symbol.asyncDispose]();
});

test('nothing is shown without new output', async () => {
  const { shown, clock, live } = open();
  live.append('a');
  await clock.wake();
  live.append('b');
  expect(shown).toEqual(['a', 'ab']);
  await live[Symbol.asyncDispose]();
});

test('live output is cut at its beginning, between characters', async () => {
  const { shown, clock, live } = open(4);
  live.append('0123456789');
  expect(shown).toEqual(['6789']);
  live.append('a😀bcd');
  await clock.wake();
  expect(shown.at(-1)).toBe('bcd');
  await live[Symbol.asyncDispose]();
});

test('nothing is shown after the end', async () => {
  const { shown, live } = open();
  live.append('a');
  await live[Symbol.asyncDispose]();
  live.append('b');
  expect(shown).toEqual(['a']);
});

test('an update that cannot be sent stops only the display', async () => {
  const show = (): Promise<void> => Promise.reject(new Error('closed'));
  const live = new LiveOutput({ clock: handClock(), intervalMs: 1, limitChars: 10, show });
  live.append('a');
  await expect(live[Symbol.asyncDispose]()).resolves.toBeUndefined();
});
