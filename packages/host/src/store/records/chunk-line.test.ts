import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { EventLog } from '../event-log.ts';
import { filesStore, type FilesStore } from '../files/files-store.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { pieceFor, toChunkLine } from './chunk-line.ts';

function open(store: FilesStore, now?: () => number): Promise<EventLog> {
  return store.open('one', {
    start: { agent: 'test', cwd: '/', program: 'test' },
    onFailure: (error) => {
      throw error;
    },
    ...(now !== undefined && { now }),
  });
}

async function eventsOf(store: FilesStore): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  await store.read('one', (event) => void events.push(event));
  return events;
}

function append(eventLog: EventLog, updateText: string): LoggedEvent {
  return eventLog.append({ type: 'update', update: JSON.parse(updateText) }, updateText);
}

function chunk(text: string, rest: object = {}): string {
  return JSON.stringify({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text },
    ...rest,
  });
}

async function linesIn(store: FilesStore): Promise<readonly string[]> {
  const text = await readFile(join(store.folderOf('one'), 'journal.jsonl'), 'utf8');
  return text.trimEnd().split('\n');
}

test('chunks of a message share a line, and each is an event with number, time and text', async () => {
  const store = filesStore(await temporaryFolder());
  let now = 1000;
  const eventLog = await open(store, () => now);
  await eventLog.stored();
  const texts = ['a', '', '"', String.raw`\"`, '\\', 'ü😀\u2028\n', '{"text":"x"}', ',"more":[1]'];
  const written = texts.map((text) => {
    now += 3;
    return append(eventLog, chunk(text, { messageId: 'm' }));
  });
  await eventLog.close();

  expect((await eventsOf(store)).slice(1)).toEqual(written);
  // The header, the start, and the chunks.
  expect(await linesIn(store)).toHaveLength(3);
});

test('a chunk of another message, another kind of update and another event each begin a line', async () => {
  const store = filesStore(await temporaryFolder());
  const eventLog = await open(store);
  await eventLog.stored();
  const updates = [
    chunk('a', { messageId: 'm' }),
    chunk('b', { messageId: 'm' }),
    chunk('c', { messageId: 'n' }),
    JSON.stringify({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'd' } }),
    JSON.stringify({ sessionUpdate: 'plan', entries: [] }),
    chunk('e'),
    chunk('f', { _meta: { content: 'x' } }),
    '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"g","annotations":{"priority":1}}}',
    '{"_meta":{"content":{"type":"text","text":"h"}},"sessionUpdate":"agent_message_chunk"}',
    '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"i"},"content":{"type":"text","text":"j"}}',
  ];
  const written = updates.map((text) => append(eventLog, text));
  eventLog.append({ type: 'update', update: JSON.parse(chunk('k')), late: true }, chunk('k'));
  eventLog.append({ type: 'update', update: JSON.parse(chunk('l')), replay: true }, chunk('l'));
  eventLog.append({ type: 'update', update: JSON.parse(chunk('m')), meta: { trace: 1 } }, chunk('m'));
  await eventLog.close();

  expect((await eventsOf(store)).slice(1, 1 + updates.length)).toEqual(written);
  expect((await eventsOf(store)).slice(-3)).toMatchObject([
    { late: true },
    { replay: true },
    { meta: { trace: 1 } },
  ]);
  expect(await linesIn(store)).toHaveLength(2 + updates.length - 1 + 3);
});

test('any chunks in any order are read back unchanged', async () => {
  const update = fc.oneof(
    { weight: 4, arbitrary: fc.string().map((text) => chunk(text, { messageId: 'm' })) },
    fc.string({ unit: 'binary' }).map((text) => chunk(text)),
    fc.jsonValue().map((value) => JSON.stringify({ sessionUpdate: 'x', content: value })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(update, fc.boolean()), { maxLength: 30 }), async (updates) => {
      const store = filesStore(await temporaryFolder());
      const eventLog = await open(store);
      const written: LoggedEvent[] = [];
      for (const [text, isWaiting] of updates) {
        written.push(append(eventLog, text));
        if (isWaiting) await eventLog.stored();
      }
      await eventLog.close();
      expect(JSON.stringify((await eventsOf(store)).slice(1))).toBe(JSON.stringify(written));
    }),
    { numRuns: 60 },
  );
});

test('a truncated or damaged line loses only its own chunks', async () => {
  const store = filesStore(await temporaryFolder());
  const eventLog = await open(store);
  for (const messageId of ['m', 'n', 'o']) {
    for (const text of 'abcd') append(eventLog, chunk(text, { messageId }));
  }
  await eventLog.close();
  const whole = await eventsOf(store);
  const file = join(store.folderOf('one'), 'journal.jsonl');
  const lines = await linesIn(store);
  expect(lines).toHaveLength(5);

  const damaged = lines.map((line, index) => (index === 3 ? line.replace('"b"', '"B"') : line));
  await writeFile(file, `${damaged.join('\n')}\n`);
  expect((await eventsOf(store)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 10, 11, 12, 13]);

  await writeFile(file, `${lines.join('\n')}\n`.slice(0, -10));
  expect(await eventsOf(store)).toEqual(whole.slice(0, 9));
  const next = await open(store);
  append(next, chunk('e'));
  await next.close();
  const numbers = (await eventsOf(store)).map(({ seq }) => seq);
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('a line of many chunks ends before it is long', async () => {
  const store = filesStore(await temporaryFolder());
  const eventLog = await open(store);
  for (let count = 0; count < 1000; count += 1) append(eventLog, chunk('x'.repeat(400)));
  await eventLog.close();
  const lengths = (await linesIn(store)).map(({ length }) => length);
  expect(Math.max(...lengths)).toBeLessThan(70_000);
  expect(await eventsOf(store)).toHaveLength(1001);
});

test('a chunk stores only the part of its text that differs', () => {
  const line = toChunkLine(chunk('a', { messageId: 'm' }), 5);
  if (line === undefined) throw new Error('it is a chunk');
  expect(pieceFor(line, chunk('b', { messageId: 'm' }), 7)).toBe(',"more":[2,"b"');
  line.isShared = true;
  expect(pieceFor(line, chunk('c', { messageId: 'm' }), 7)).toBe(',2,"c"');
  const hidden =
    '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"d","x":"e"},"messageId":"m"}';
  expect(pieceFor(line, hidden, 7)).toBeUndefined();
});
