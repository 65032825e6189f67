import { defaultLimits } from '@parley/aap/server';
import { afterEach, expect, test, vi } from 'vitest';
import { toStreamBody } from './stream-body.ts';

const { heartbeatMs } = defaultLimits;

afterEach(() => {
  vi.useRealTimers();
});

test('a stream whose source fails fails too, and sends nothing afterwards', async () => {
  vi.useFakeTimers();
  const ended = new AbortController();
  const reader = toStreamBody(brokenTexts(), ended).getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: 1\n\n');

  await expect(reader.read()).rejects.toThrow('read ECONNRESET');
  expect(ended.signal.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(2 * heartbeatMs);
});

test('a quiet stream sends comments until it is cancelled', async () => {
  vi.useFakeTimers();
  const ended = new AbortController();
  const reader = toStreamBody(quietTexts(ended.signal), ended).getReader();
  const read = reader.read();
  vi.advanceTimersByTime(heartbeatMs);
  expect(new TextDecoder().decode((await read).value)).toBe(':\n\n');

  await reader.cancel();
  expect(ended.signal.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

async function* brokenTexts(): AsyncGenerator<string, void, undefined> {
  yield 'data: 1\n\n';
  await Promise.resolve();
  throw new Error('read ECONNRESET');
}

async function* quietTexts(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve);
  });
  yield 'never read';
}
