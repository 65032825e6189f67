import type { LoggedEvent } from '@parley/host/state';
import { expect, test, vi } from 'vitest';
import { FeedWriter } from './feed-writer.ts';
import { SessionFeeds } from './session-feeds.ts';

const begin: LoggedEvent = {
  seq: 1,
  time: 1,
  type: 'journal-start',
  key: 'a',
  agent: 'parley',
  cwd: '/w',
  program: 'test',
};

/** Feeds that are shown at once, and what was asked of the hub for them. */
function stage() {
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('requestAnimationFrame', (show: () => void) => show());
  const asked: string[] = [];
  const feeds = new SessionFeeds({
    begin: (key, after) => asked.push(`watch ${key} after ${after}`),
    end: (key) => asked.push(`unwatch ${key}`),
    loadWriter: async () => FeedWriter,
    onFailure: () => asked.push('failed'),
  });
  return { feeds, asked };
}

test('a session is watched once for any number of subscribers, until the last one leaves', async () => {
  const { feeds, asked } = stage();
  const stopFirst = feeds.watch('a', () => {});
  const stopSecond = feeds.watch('a', () => {});
  await vi.waitFor(() => expect(asked).toEqual(['watch a after 0']));
  stopFirst();
  expect(asked).toHaveLength(1);
  stopSecond();
  expect(asked).toEqual(['watch a after 0', 'unwatch a']);
});

test('a new connection continues after the last known event', async () => {
  const { feeds, asked } = stage();
  feeds.watch('a', () => {});
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  feeds.takeEvents({ sessionId: 'a', events: [begin], isCaughtUp: true });
  expect(feeds.feed('a').view.cwd).toBe('/w');
  feeds.beginAgain();
  expect(asked).toEqual(['watch a after 0', 'watch a after 1']);
});

test('a subscriber that leaves before the writer is loaded leaves nothing behind', async () => {
  const { feeds, asked } = stage();
  feeds.watch('a', () => {})();
  await Promise.resolve();
  await Promise.resolve();
  expect(asked).toEqual([]);
});

test('agent output is sent again with each connection, and is not shown twice', async () => {
  const { feeds, asked } = stage();
  feeds.watch('a', () => {});
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  feeds.takeLog({ sessionId: 'a', text: 'hello' });
  feeds.beginAgain();
  feeds.takeLog({ sessionId: 'a', text: 'hello' });
  expect(feeds.feed('a').log).toBe('hello');
});
