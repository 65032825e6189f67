import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines, type Line } from './lines.ts';

/** Bytes in pieces of these lengths, and then the rest. */
async function* split(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array, void> {
  let start = 0;
  for (const length of [...lengths, bytes.length]) {
    yield await Promise.resolve(bytes.subarray(start, start + length));
    start += length;
  }
}

async function gather(lines: AsyncIterable<Line>): Promise<readonly Line[]> {
  const all: Line[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

test('any split of the bytes gives the same lines, at their places', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\n', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(5)), fc.boolean(), async (texts, lengths, isEnded) => {
      const whole = Buffer.from(texts.join('\n') + (isEnded ? '\n' : ''));
      const lines = await gather(readLines(split(whole, lengths), { maxBytes: 1000 }));
      const expected = whole.toString().split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(lines.map(({ bytes }) => Buffer.from(bytes ?? []).toString())).toEqual(expected);
      expect(lines.map(({ number }) => number)).toEqual(expected.map((_text, index) => index + 1));
      for (const { offset, length, bytes } of lines) {
        expect(Buffer.from(bytes ?? [])).toEqual(whole.subarray(offset, offset + length));
      }
    }),
  );
});

test('a line that is too long is reported without its bytes, and the next one is read', async () => {
  const bytes = Buffer.from('0123456789\nab\n01234567890');
  const lines = await gather(readLines(split(bytes, [3, 3, 3]), { maxBytes: 9 }));
  expect(lines).toEqual([
    { number: 1, offset: 0, length: 10 },
    { number: 2, offset: 11, length: 2, bytes: Buffer.from('ab') },
    { number: 3, offset: 14, length: 11 },
  ]);
});
