import type { LoggedEvent } from '@parley/host/state';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
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

test('while a long session is loaded, it is displayed a few times a second, and at once when all is there', async () => {
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('requestAnimationFrame', (show: () => void) => setTimeout(show, 16));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const shown: SessionFeed[] = [];
  const writer = new FeedWriter((feed) => shown.push(feed));
  const settle = async (ms: number, count: number): Promise<void> => {
    writer.takeEvents({ events: events(writer.seq + 1, writer.seq + count), isCaughtUp: false });
    await vi.advanceTimersByTimeAsync(ms);
  };
  for (let part = 0; part < 10; part += 1) await settle(39, 1);
  expect(shown.map(({ view }) => view.seq)).toEqual([6]);
  writer.takeLog('Reading the configuration\n');
  await vi.advanceTimersByTimeAsync(16);
  expect(shown.at(-1)).toMatchObject({ view: { seq: 10 }, log: 'Reading the configuration\n' });
  await settle(0, 1);
  writer.takeEvents({ events: [], isCaughtUp: true });
  await vi.advanceTimersByTimeAsync(16);
  expect(shown.at(-1)).toMatchObject({ view: { seq: 11 }, isCaughtUp: true });
  const { length } = shown;
  await vi.advanceTimersByTimeAsync(1000);
  expect(shown).toHaveLength(length);
});

test('after a display that took long, the page rests as long', async () => {
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('requestAnimationFrame', (show: () => void) => setTimeout(show, 16));
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const shown: string[] = [];
  const writer = new FeedWriter(({ log }) => {
    shown.push(log);
    vi.advanceTimersByTime(40);
  });
  const displayed = async (ms: number): Promise<void> => {
    vi.advanceTimersByTime(ms);
    // The end of a display comes as a message, before this one.
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.addEventListener('message', resolve);
      port1.start();
      port2.postMessage(undefined);
    });
    port1.close();
  };

  writer.takeLog('a');
  await displayed(16);
  writer.takeLog('b');
  writer.takeLog('c');
  await displayed(40);
  expect(shown).toEqual(['a']);
  await displayed(16);
  expect(shown).toEqual(['a', 'abc']);
});
