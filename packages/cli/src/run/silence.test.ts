import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchSilence } from './silence.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('silence is reported once, after the limit', () => {
  const onSilence = vi.fn();
  using _watch = watchSilence(1000, onSilence);
  vi.advanceTimersByTime(999);
  expect(onSilence).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5000);
  expect(onSilence).toHaveBeenCalledOnce();
});

test('any message restarts the idle timeout', () => {
  const onSilence = vi.fn();
  using watch = watchSilence(1000, onSilence);
  for (let count = 0; count < 10; count += 1) {
    vi.advanceTimersByTime(900);
    watch.heard();
  }
  expect(onSilence).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1001);
  expect(onSilence).toHaveBeenCalledOnce();
});

test('the idle timeout pauses while any question is open', () => {
  const onSilence = vi.fn();
  using watch = watchSilence(1000, onSilence);
  const first = watch.pause();
  const second = watch.pause();
  vi.advanceTimersByTime(60_000);
  first();
  first();
  vi.advanceTimersByTime(60_000);
  expect(onSilence).not.toHaveBeenCalled();
  second();
  vi.advanceTimersByTime(999);
  expect(onSilence).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2);
  expect(onSilence).toHaveBeenCalledOnce();
});

test('after the end nothing is reported and no timer remains', () => {
  const onSilence = vi.fn();
  const watch = watchSilence(1000, onSilence);
  watch[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  expect(onSilence).not.toHaveBeenCalled();
});
