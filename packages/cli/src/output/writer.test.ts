import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWriter } from './writer.ts';

/** A stream that takes one chunk and keeps it until it is released. */
function stuckStream(): { stream: Writable; chunks: string[]; release(): void } {
  const chunks: string[] = [];
  let taken: (() => void) | undefined;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      taken = done;
    },
  });
  return {
    stream,
    chunks,
    release: () => {
      taken?.();
    },
  };
}

test('output of one tick is written at once', async () => {
  const { stream, chunks } = stuckStream();
  const writer = createWriter(stream);
  writer.write('one\n');
  writer.write('two\n');
  expect(chunks).toEqual([]);
  await nextTurn();
  expect(chunks).toEqual(['one\ntwo\n']);
});

test('a reader that is a megabyte behind makes the writer wait until it reads', async () => {
  const { stream, release } = stuckStream();
  const writer = createWriter(stream);
  expect(writer.ready()).toBeUndefined();
  for (let count = 0; count < 20; count += 1) writer.write('x'.repeat(64 * 1024));
  const waiting = writer.ready();
  expect(waiting).toBeInstanceOf(Promise);
  const releasing = setInterval(release, 1);
  await waiting;
  clearInterval(releasing);
  expect(writer.ready()).toBeUndefined();
});

test('a reader that is no longer awaited delays nothing', async () => {
  const { stream } = stuckStream();
  const impatience = new AbortController();
  const writer = createWriter(stream, { impatience: impatience.signal });
  for (let count = 0; count < 20; count += 1) writer.write('x'.repeat(64 * 1024));
  const waiting = writer.ready();
  impatience.abort();
  await waiting;
  expect(writer.ready()).toBeUndefined();
  expect(writer.isBehind).toBe(true);
});

test('flush settles when everything was read', async () => {
  const stream = new PassThrough();
  const writer = createWriter(stream);
  writer.write('last words');
  await writer.flush();
  expect(String(stream.read())).toBe('last words');
});

test('a reader that disconnects settles every wait', async () => {
  const { stream } = stuckStream();
  const writer = createWriter(stream);
  for (let count = 0; count < 20; count += 1) writer.write('x'.repeat(64 * 1024));
  const waiting = writer.ready();
  const flushing = writer.flush();
  stream.destroy(new Error('EPIPE'));
  await waiting;
  await flushing;
  expect(writer.closed.aborted).toBe(true);
  writer.write('unread');
  await writer.flush();
});

test('text is written in order after its precondition settles, even if that rejects', async () => {
  const stream = new PassThrough();
  const waits: { readonly settle: (error?: Error) => void }[] = [];
  const writer = createWriter(stream, {
    before: () =>
      new Promise((resolve, reject) => {
        waits.push({ settle: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
  });
  writer.write('one ');
  await nextTurn();
  writer.write('two ');
  await nextTurn();
  expect(stream.read()).toBeNull();
  expect(waits).toHaveLength(1);
  waits[0]?.settle();
  await nextTurn();
  expect(String(stream.read())).toBe('one ');
  const flushed = writer.flush();
  writer.write('three');
  waits[1]?.settle(new Error('no room'));
  await nextTurn();
  waits[2]?.settle();
  await flushed;
  expect(String(stream.read())).toBe('two three');
});

test('a megabyte that waits for its precondition makes later writers wait', async () => {
  const stream = new PassThrough();
  let settle = (): void => {};
  const writer = createWriter(stream, {
    before: () =>
      new Promise((resolve) => {
        settle = resolve;
      }),
  });
  for (let count = 0; count < 20; count += 1) writer.write('x'.repeat(64 * 1024));
  const waiting = writer.ready();
  expect(waiting).toBeInstanceOf(Promise);
  expect(writer.isBehind).toBe(true);
  settle();
  await waiting;
});
