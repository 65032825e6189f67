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

test('what is written in one tick leaves in one write', async () => {
  const { stream, chunks } = stuckStream();
  const writer = createWriter(stream);
  writer.write('one\n');
  writer.write('two\n');
  expect(chunks).toEqual([]);
  await nextTurn();
  expect(chunks).toEqual(['one\ntwo\n']);
});

test('a reader that is a megabyte behind makes the writer wait, and reading ends the wait', async () => {
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

test('a reader that is not waited for any more delays nothing', async () => {
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

test('flush settles when everything was taken', async () => {
  const stream = new PassThrough();
  const writer = createWriter(stream);
  writer.write('last words');
  await writer.flush();
  expect(String(stream.read())).toBe('last words');
});

test('a reader that goes away settles every wait', async () => {
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

test('held text waits, makes the writers of more wait, and is written in order on release', async () => {
  const stream = new PassThrough();
  const writer = createWriter(stream);
  const release = writer.hold(() => undefined);
  writer.write('one ');
  await nextTurn();
  expect(stream.read()).toBeNull();
  expect(writer.ready()).toBeUndefined();
  writer.write('x'.repeat(1024 * 1024));
  const waiting = writer.ready();
  expect(waiting).toBeInstanceOf(Promise);
  release();
  await waiting;
  expect(String(stream.read())).toMatch(/^one x+$/);
});

test('a flush ends the holding, after its holder was notified', async () => {
  const stream = new PassThrough();
  const writer = createWriter(stream);
  let isNotified = false;
  const release = writer.hold(() => {
    isNotified = true;
    stream.write('(cleared)');
  });
  writer.write('text');
  await writer.flush();
  expect([isNotified, String(stream.read())]).toEqual([true, '(cleared)text']);
  release();
  writer.write('more');
  await nextTurn();
  expect(String(stream.read())).toBe('more');
});

test('text leaves when what has to be done before is done, however that settles, and in its order', async () => {
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

test('a megabyte that waits for what has to be done before asks who brings more to wait', async () => {
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
