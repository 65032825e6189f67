import { PassThrough } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { manualClock, type ManualClock } from '@parley/conformance';
import { readingMs } from '@parley/host/state';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStyle } from '../../output/style.ts';
import { drawnOn } from '../../terminal/drawn-on.fixture.ts';
import { PromptQueue } from '../prompt-queue.ts';
import { ChatConsole } from './chat-console.ts';

const columns = 60;
const { signal } = new AbortController();

let input: PassThrough;
let clock: ManualClock;
let queue: PromptQueue;
let lines: ChatConsole;
let written: string;

/** Whether there is something to stop, for each time that it is asked. */
const stopped: boolean[] = [];

beforeEach(() => {
  const source = Object.assign(new PassThrough(), { setRawMode: () => undefined });
  input = source;
  clock = manualClock();
  queue = new PromptQueue();
  written = '';
  const stream = Object.assign(new PassThrough(), { columns, rows: 30 });
  stream.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  lines = new ChatConsole({
    input: source,
    stream,
    isDumb: false,
    style: createStyle(false, {}),
    queue,
    status: () => 'confirm · a-model',
    activity: () => 'Working…',
    stopBackground: () => stopped.pop() ?? false,
    complete: {
      commands: (query) =>
        [{ value: 'help' }, { value: 'history' }].filter(({ value }) => value.startsWith(query)),
      files: (query) => Promise.resolve(['src/main.ts'].filter((file) => file.includes(query))),
    },
    clock,
  });
});

afterEach(() => {
  lines[Symbol.dispose]();
});

async function type(keys: string): Promise<void> {
  input.write(keys);
  await nextTick();
}

async function wait(ms: number): Promise<void> {
  clock.advance(ms);
  await nextTick();
  await nextTick();
}

async function rows(): Promise<readonly string[]> {
  await lines.screen.flush();
  return drawnOn(written, columns);
}

/** A permission question; its answer, once there is one. */
function ask(): { answer: () => string | undefined } {
  let answer: string | undefined = 'none';
  const asked = async (): Promise<void> => {
    await lines.present('May I?\n', signal);
    answer = await lines.askKey('Your answer [y n]: ', (key) => key === 'y' || key === 'n', signal);
  };
  void asked();
  return { answer: () => answer };
}

test('a key answers a question on an empty line after the reading time', async () => {
  const { answer } = ask();
  await wait(readingMs - 1);
  expect((await rows()).join('\n')).not.toContain('A question waits');
  await wait(1);
  expect((await rows()).at(-1)).toBe('Your answer [y n]:');
  await type('y');
  expect(answer()).toBe('y');
});

test('a line that is being typed does not answer a question, and typing continues', async () => {
  const sent: string[] = [];
  lines.collect((line) => {
    sent.push(line);
    return undefined;
  });
  await type('sa');
  const { answer } = ask();
  await wait(readingMs * 10);
  await type('y yes');
  await wait(readingMs * 10);
  await type(' really');
  expect(answer()).toBe('none');
  expect(await rows()).toContain('> say yes really');
  expect((await rows()).join('\n')).toContain('(A question waits: finish the line, or clear it');
  await type('\r');
  expect([sent, answer()]).toEqual([['say yes really'], 'none']);
  await wait(readingMs - 1);
  await type('n');
  expect(answer()).toBe('none');
  await type('\u007f');
  await wait(readingMs);
  await type('n');
  expect(answer()).toBe('n');
});

test('keys typed before the reading time start a line, and none is lost', async () => {
  const { answer } = ask();
  await wait(readingMs - 1);
  await type('yes, and more');
  await wait(readingMs * 10);
  expect(answer()).toBe('none');
  expect(await rows()).toContain('> yes, and more');
});

test('pasted text does not answer a question', async () => {
  const { answer } = ask();
  await wait(readingMs);
  await type('\u001b[200~y\u001b[201~');
  await wait(readingMs * 10);
  expect(answer()).toBe('none');
  expect(await rows()).toContain('> y');
});

test('several keys at once do not answer a question, but one key and Enter do', async () => {
  const { answer } = ask();
  await wait(readingMs);
  await type('yn');
  expect(answer()).toBe('none');
  await type('\u0015');
  await wait(readingMs);
  await type('y\r');
  expect(answer()).toBe('y');
});

test('keys typed too early for the second part of a question are discarded', async () => {
  let chosen: string | undefined;
  const asked = async (): Promise<void> => {
    await lines.present('May I?\n', signal);
    await lines.askKey('[y a]: ', (key) => key === 'a', signal);
    await lines.present('  1  Always\n', signal);
    chosen = await lines.ask('Number: ', signal);
  };
  void asked();
  await wait(readingMs);
  await type('a');
  await type('3');
  await wait(readingMs);
  await type('1\r');
  expect(chosen).toBe('1');
});

test('a question with its own input line leaves the started line unchanged', async () => {
  const first = lines.next();
  await type('my draft');
  let answer: string | undefined;
  const asked = async (): Promise<void> => {
    await lines.present('Which colour?\n', signal);
    answer = await lines.ask('> ', signal);
  };
  void asked();
  await wait(readingMs * 10);
  await type('\r');
  expect(await first).toBe('my draft');
  await wait(readingMs);
  await type('blue\r');
  expect(answer).toBe('blue');
});

test('pasted text stays together, and several lines are sent as one prompt', async () => {
  const next = lines.next();
  await type('\u001b[200~one\r\ntwo\u001b[201~');
  await type('\u001b\rthree\\\rfour');
  expect((await rows()).slice(-5)).toEqual(['confirm · a-model', '> one', '  two', '  three', '  four']);
  await type('\r');
  expect(await next).toBe('one\ntwo\nthree\nfour');
});

test('the arrow keys move through the lines of a text, then through the history', async () => {
  const first = lines.next();
  await type('one\u001b\rtwo\r');
  await first;
  const second = lines.next();
  await type('\u001b[A');
  await type('\u001b[A');
  await type('\u001b[H'.replace('H', 'D'));
  await type('!\r');
  expect(await second).toBe('on!e\ntwo');
});

test('Backspace deletes a character of several code points at once', async () => {
  const next = lines.next();
  await type('a👨‍👩‍👧‍👦你');
  await type('\u007f');
  await type('\u007f');
  await type('b\r');
  expect(await next).toBe('ab');
});

test('Tab completes commands and files', async () => {
  const next = lines.next();
  await type('/h');
  expect(await rows()).toContain('  Tab  /help');
  await type('\t');
  await type('\t');
  await type('7 @mai');
  await nextTick();
  expect(await rows()).toContain('  Tab  @src/main.ts');
  await type('\t');
  await type('\r');
  expect(await next).toBe('/history 7 @src/main.ts ');
});

test('lines that are typed early are sent in order', async () => {
  await type('one\rtwo\r');
  expect([await lines.next(), await lines.next()]).toEqual(['one', 'two']);
});

test('Ctrl-C on an empty line first stops what works in the background', async () => {
  const next = lines.next();
  stopped.push(true);
  await type('\u0003');
  expect((await rows()).at(-1)).not.toContain('Ctrl-C');
  await type('\u0003');
  expect((await rows()).at(-1)).toBe('Press Ctrl-C again to leave.');
  await type('\u0003');
  expect(await next).toBeUndefined();
});

test('Ctrl-C on an empty line asks before leaving; any other key stays', async () => {
  const next = lines.next();
  await type('\u0003');
  expect((await rows()).at(-1)).toBe('Press Ctrl-C again to leave.');
  await type('a');
  await type('\u0003');
  await type('\u0003');
  await type('\u0003');
  expect(await next).toBeUndefined();
  expect(await rows()).toContain('> a^C');
});
