import { expect, onTestFinished, test, vi } from 'vitest';
import { watchAhead } from './watch-ahead.ts';

function stage() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const asked: string[] = [];
  const hub = {
    watch: (key: string) => {
      asked.push(`watch ${key}`);
      return () => void asked.push(`unwatch ${key}`);
    },
  };
  return { hub, asked };
}

test('the session of a page is watched while the page is loading, and then left to the page', () => {
  const { hub, asked } = stage();
  watchAhead(hub, '/sessions/20260101T000000-0123456789ab');
  expect(asked).toEqual(['watch 20260101T000000-0123456789ab']);
  vi.runAllTimers();
  expect(asked).toEqual(['watch 20260101T000000-0123456789ab', 'unwatch 20260101T000000-0123456789ab']);
});

test.for(['/', '/sessions', '/sessions/', '/sessions/a/inspector', '/inbox', '/sessions/%E0%A4%A'])(
  'the page %s watches no session in advance',
  (path) => {
    const { hub, asked } = stage();
    watchAhead(hub, path);
    expect(asked).toEqual([]);
  },
);
