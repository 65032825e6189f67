import type { LoggedEvent } from '@parley/host/state';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FeedWriter } from './feed-writer.ts';
import type { SessionFeed } from './session-feed.ts';

beforeEach(() => {
  vi.stubGlobal('document', { visibilityState: 'hidden' });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function events(from: number, to: number): readonly LoggedEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    seq: from + index,
    time: 1,
    type: 'update',
    update: { sessionUpdate: 'notice', severity: 'info', title: String(from + index) },
  }));
}

test('many events are applied completely and in order, including those that arrive meanwhile', async () => {
  const { view } = await new Promise<SessionFeed>((resolve) => {
    const writer = new FeedWriter((feed) => {
      if (feed.isCaughtUp) resolve(feed);
    });
    writer.takeEvents({ events: events(1, 30_000), isCaughtUp: false });
    writer.takeEvents({ events: events(30_001, 30_010), isCaughtUp: true });
    expect(writer.seq).toBe(30_010);
  });
  expect(view).toMatchObject({ seq: 30_010, items: { length: 30_010 } });
});

test('a batch without events says that the client has caught up', async () => {
  const feed = await new Promise<SessionFeed>((resolve) => {
    new FeedWriter(resolve).takeEvents({ events: [], isCaughtUp: true });
  });
  expect(feed).toMatchObject({ isCaughtUp: true });
});

test('the live output of a command is discarded when the command ends, including late output', () => {
  const shown = vi.fn<(feed: SessionFeed) => void>();
  vi.useFakeTimers();
  const writer = new FeedWriter(shown);
  const command = { terminalId: 'ls', toolCallId: 'call', sessionId: 's' };
  writer.takeTerminal('ls', 'README.md\n', true);
  writer.takeTerminal('top', 'busy\n', true);
  vi.runAllTimers();
  expect([...(shown.mock.lastCall?.[0].terminals.keys() ?? [])]).toEqual(['ls', 'top']);

  writer.takeEvents({
    events: [
      { ...command, seq: 1, time: 1, type: 'terminal-start', command: 'ls', cwd: '/work' },
      { ...command, seq: 2, time: 2, type: 'terminal-end', output: 'README.md\n', truncated: false },
    ],
    isCaughtUp: true,
  });
  writer.takeTerminal('ls', 'README.md\n', false);
  vi.runAllTimers();
  vi.useRealTimers();

  expect([...(shown.mock.lastCall?.[0].terminals ?? [])]).toEqual([['top', 'busy\n']]);
});
