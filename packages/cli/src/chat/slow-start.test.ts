import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchStart } from './slow-start.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const starting = { type: 'agent-starting', agent: 'tester', limitMs: 60_000 } as const;
const started = { type: 'agent-start', agent: 'tester', protocolVersion: 1, capabilities: {} } as const;

function stderr(text: string): { readonly type: 'stderr'; readonly text: string } {
  return { type: 'stderr', text };
}

test('the log of an agent that starts slowly is shown in whole lines', () => {
  const logged: string[] = [];
  using watch = watchStart((line) => logged.push(line));
  watch.take(starting);
  watch.take(stderr('down'));
  watch.take(stderr('loading\nunpac'));
  vi.advanceTimersByTime(2999);
  expect(logged).toEqual([]);

  vi.advanceTimersByTime(1);
  expect(logged).toEqual(['tester is still starting; its standard error:', '| downloading']);

  watch.take(stderr('king\n'));
  expect(logged.at(-1)).toBe('| unpacking');
});

test('the log of an agent that starts in time is not shown', () => {
  const logged: string[] = [];
  using watch = watchStart((line) => logged.push(line));
  watch.take(starting);
  watch.take(stderr('ready\n'));
  watch.take(started);
  vi.advanceTimersByTime(60_000);
  watch.take(stderr('a log\n'));

  expect(logged).toEqual([]);
});

test('the log is also shown while a session opens slowly, until it is open or rejected', () => {
  const logged: string[] = [];
  using watch = watchStart((line) => logged.push(line));
  const opening = { type: 'session-opening', agent: 'tester', limitMs: 120_000 } as const;
  watch.take(started);
  watch.take(opening);
  watch.take(stderr('starting MCP servers\n'));
  vi.advanceTimersByTime(3000);
  expect(logged).toEqual([
    'tester is still opening the session; its standard error:',
    '| starting MCP servers',
  ]);

  watch.take({ type: 'session-not-opened', agent: 'tester' });
  watch.take(stderr('a log\n'));
  watch.take(opening);
  watch.take({ type: 'session-ready', sessionId: 's' });
  vi.advanceTimersByTime(60_000);

  expect(logged).toHaveLength(2);
});

test('the last lines of long output are shown', () => {
  const logged: string[] = [];
  using watch = watchStart((line) => logged.push(line));
  watch.take(starting);
  for (let line = 1; line <= 100; line += 1) watch.take(stderr(`line ${line}\n`));

  vi.advanceTimersByTime(3000);

  expect(logged).toHaveLength(11);
  expect(logged.at(-1)).toBe('| line 100');
});
