import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultSessionLimits } from '../session/session-limits.ts';
import { temporaryFolder } from '../store/temporary-folder.fixture.ts';
import { framesFile } from './frame-file.ts';
import { FrameLog } from './frame-log.ts';

const redactor = { redact: (message: unknown) => message, redactText: (text: string) => text };

/** A frame log whose time stands still unless a test moves it. */
async function testFrameLog() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = await temporaryFolder();
  const onFault = vi.fn();
  const log = new FrameLog({ folder, head: {}, limits: defaultSessionLimits, onFault });
  return {
    log,
    onFault,
    observe: (text: string): void => {
      log.observe({ direction: 'in', time: 1, message: { jsonrpc: '2.0', method: text } }, redactor);
    },
    stored: async (): Promise<readonly string[]> =>
      [...(await readFile(framesFile(folder), 'utf8')).matchAll(/"method":"(\w+)"/gu)].map(
        ([, text = '']) => text,
      ),
  };
}

test('frames that follow each other are written together, and at once when they are needed', async () => {
  const { log, observe, stored, onFault } = await testFrameLog();

  observe('first');
  await log.flush();
  for (const text of ['second', 'third']) {
    observe(text);
    // Each is a turn of the event loop after the one before, as from an agent.
    await stored();
  }
  expect(await stored()).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(100);
  observe('fourth');
  await log.flush();
  expect(await stored()).toEqual(['first', 'second', 'third', 'fourth']);

  observe('x'.repeat(100_000));
  await vi.waitFor(async () => expect(await stored()).toHaveLength(5));
  expect(onFault).not.toHaveBeenCalled();
});

test('after a slow write, frames are collected for longer', async () => {
  const { log, observe, stored } = await testFrameLog();
  observe('first');
  const writing = log.flush();
  // The write has begun: as long as it waits for its turn, the process is busy.
  await Promise.resolve();
  await Promise.resolve();
  vi.advanceTimersByTime(200);
  await writing;

  observe('second');
  await vi.advanceTimersByTimeAsync(599);
  expect(await stored()).toEqual(['first']);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(async () => expect(await stored()).toEqual(['first', 'second']));
});
