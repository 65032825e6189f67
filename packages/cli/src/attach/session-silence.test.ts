import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Ending } from '../conversation/ending.ts';
import { startSessionSilence } from './session-silence.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the idle timeout of an attached session pauses while a question is open, and starts again when it is answered', () => {
  const ending = new Ending();
  using silence = startSessionSilence({ idleTimeoutMs: 1000 }, ending);
  silence?.onAsking(true);
  vi.advanceTimersByTime(60_000);
  silence?.onAsking(false);
  vi.advanceTimersByTime(900);
  silence?.heard();
  vi.advanceTimersByTime(999);
  expect(ending.cause).toBeUndefined();

  vi.advanceTimersByTime(2);
  expect(ending.cause?.message).toBe('no response from the agent for 1 s (--idle-timeout)');
});
