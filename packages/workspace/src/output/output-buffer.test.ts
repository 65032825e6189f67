import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOutputBuffer, maxOutputBytes } from './output-buffer.ts';

const encoder = new TextEncoder();

/** What a decoder makes of the bytes, a character cut off at the end left out. */
function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}

function split(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

/** Valid text, and bytes that begin like characters and go wrong. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => encoder.encode(text)),
      fc.uint8Array({ maxLength: 6 }),
      fc.constantFrom(
        [0xe0, 0x80],
        [0xed, 0xa0, 0x80],
        [0xf0, 0x9f, 0x98],
        [0xf4, 0x90],
        [0xc0, 0x80],
        [0xff],
      ),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => Uint8Array.from(pieces.flatMap((piece) => [...piece])));

test('any split of the bytes gives the same text', () => {
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
      const buffer = createOutputBuffer({ limitBytes: 1_000_000 });
      for (const piece of split(bytes, cuts)) buffer.append(piece);
      expect(buffer.text()).toBe(decoded(bytes));
      expect(buffer.totalBytes).toBe(bytes.length);
      expect(buffer.truncated).toBe(false);
    }),
  );
});

test('the buffer keeps the end of the text, in whole characters, within the limit', () => {
  fc.assert(
    fc.property(
      anyBytes,
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.nat({ max: 60 }),
      (bytes, cuts, limitBytes) => {
        const buffer = createOutputBuffer({ limitBytes });
        for (const piece of split(bytes, cuts)) buffer.append(piece);
        const all = decoded(bytes);
        const kept = buffer.text();
        expect(all.endsWith(kept)).toBe(true);
        const keptBytes = encoder.encode(kept).length;
        expect(keptBytes).toBeLessThanOrEqual(limitBytes);
        // Nothing more would have fitted: the character before is too long for the room that is left.
        const before = Array.from(all.slice(0, all.length - kept.length)).at(-1) ?? '';
        expect(buffer.truncated).toBe(before !== '');
        expect(before === '' || keptBytes + encoder.encode(before).length > limitBytes).toBe(true);
      },
    ),
  );
});

test('a character that comes in two pieces is shown once it is complete', () => {
  const buffer = createOutputBuffer({ limitBytes: 100 });
  buffer.append(Uint8Array.of(0x61, 0xe2, 0x82));
  expect(buffer.text()).toBe('a');
  buffer.append(Uint8Array.of(0xac));
  expect(buffer.text()).toBe('a€');
});

test('a limit of nothing keeps nothing and says so', () => {
  const buffer = createOutputBuffer({ limitBytes: 0 });
  expect(buffer.truncated).toBe(false);
  buffer.append(encoder.encode('x'));
  expect(buffer.text()).toBe('');
  expect(buffer.truncated).toBe(true);
});

test('bytes may be changed by their owner after they were appended', () => {
  const buffer = createOutputBuffer({ limitBytes: 100 });
  const bytes = encoder.encode('kept');
  buffer.append(bytes);
  bytes.fill(0);
  expect(buffer.text()).toBe('kept');
});

test('the memory of a buffer grows with its content, not with its limit', () => {
  const before = process.memoryUsage().arrayBuffers;
  const buffers = Array.from({ length: 100 }, () => createOutputBuffer({ limitBytes: maxOutputBytes }));
  for (const buffer of buffers) buffer.append(encoder.encode('x'));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(maxOutputBytes);
});

test('a limit beyond the largest one is the largest one', () => {
  const buffer = createOutputBuffer({ limitBytes: Number.MAX_SAFE_INTEGER });
  const piece = new Uint8Array(8 * 1024 * 1024).fill(0x61);
  for (let appended = 0; appended <= maxOutputBytes; appended += piece.length) buffer.append(piece);
  expect(buffer.text()).toHaveLength(maxOutputBytes);
  expect(buffer.truncated).toBe(true);
});
