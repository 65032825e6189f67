import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { FrameFault } from './frame-fault.ts';
import { NdjsonReader } from './ndjson.ts';

const encoder = new TextEncoder();

function readAll(reader: NdjsonReader, pieces: readonly Uint8Array[]): unknown[] {
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

function read(text: string, options?: ConstructorParameters<typeof NdjsonReader>[0]): unknown[] {
  return readAll(new NdjsonReader(options), [encoder.encode(text)]);
}

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...places, bytes.length].map((place, index) => bytes.subarray(places[index - 1] ?? 0, place));
}

const goodLine = fc.json().map((text) => encoder.encode(text));
const oddLine = fc.oneof(
  goodLine,
  fc
    .constantFrom('', '   ', '\r', 'not json', '{"a":', '\uFEFF{"bom":1}', '"grüße 😀"', '{}\r')
    .map((text) => encoder.encode(text)),
  fc
    .uint8Array({ minLength: 1, maxLength: 40 })
    .map((bytes) => bytes.map((byte) => (byte === 10 ? 11 : byte))),
  fc.integer({ min: 20, max: 90 }).map((length) => encoder.encode(JSON.stringify('x'.repeat(length)))),
);

describe('NdjsonReader', () => {
  test('lines that begin like no JSON cost no exception each', () => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      const values = read('y\n'.repeat(1000));
      expect(values).toHaveLength(1000);
      expect(values.every((value) => value instanceof FrameFault)).toBe(true);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  test('a param before the last is read at any depth', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    const line = `{"jsonrpc":"2.0","method":"m","params":{"before":${deep},"last":1}}\n`;

    expect(read(line.repeat(2))).toMatchObject([{ method: 'm' }, { method: 'm' }]);
  });

  test('any split of the bytes gives the same messages', () => {
    fc.assert(
      fc.property(
        fc.array(oddLine, { maxLength: 12 }),
        fc.boolean(),
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.constantFrom(undefined, 30, 64),
        (lines, endsWithNewline, cuts, maxLineBytes) => {
          const joined = lines.flatMap((line, index) =>
            index === lines.length - 1 && !endsWithNewline ? [...line] : [...line, 10],
          );
          const bytes = Uint8Array.from(joined);
          const options = maxLineBytes === undefined ? {} : { maxLineBytes };
          const whole = readAll(new NdjsonReader(options), [bytes]);
          const pieces = readAll(new NdjsonReader(options), split(bytes, cuts));
          expect(pieces.map(toComparable)).toEqual(whole.map(toComparable));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('what JSON.stringify writes comes back', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
        expect(JSON.stringify(read(text))).toBe(
          JSON.stringify(values.map((value): unknown => JSON.parse(JSON.stringify(value)))),
        );
      }),
    );
  });

  test('empty lines, CRLF and a byte order mark are tolerated', () => {
    expect(read('\uFEFF{"a":1}\r\n\r\n\n  \n{"b":2}\n')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test('a byte order mark inside a string is kept', () => {
    expect(read('"\uFEFFx"\n')).toEqual(['\uFEFFx']);
  });

  test('a bad line is a fault at its place, and its neighbours live', () => {
    const [first, fault, last] = read('{"a":1}\nlog line\n{"b":2}\n');
    expect([first, last]).toEqual([{ a: 1 }, { b: 2 }]);
    expect(fault).toMatchObject({ code: 'malformed', bytes: 8, head: 'log line' });
  });

  test('bytes that are not UTF-8 are a fault, not replacement characters', () => {
    const bytes = Uint8Array.from([
      ...encoder.encode('{"a":1}\n"'),
      0xc3,
      0x28,
      ...encoder.encode('"\n{"b":2}\n'),
    ]);
    const [first, fault, last] = readAll(new NdjsonReader(), [bytes]);
    expect([first, last]).toEqual([{ a: 1 }, { b: 2 }]);
    expect(fault).toMatchObject({ code: 'encoding', bytes: 4 });
  });

  test('a line over the limit is one fault, reported as soon as it is known, and skipped', () => {
    const reader = new NdjsonReader({ maxLineBytes: 10 });
    const early = reader.push(encoder.encode('"0123456789'));
    expect(early).toEqual([expect.objectContaining({ code: 'too-large', head: '"0123456789' })]);
    expect(reader.push(encoder.encode('still the same line'))).toEqual([]);
    expect(reader.push(encoder.encode('end"\n{"b":2}\n'))).toEqual([{ b: 2 }]);
  });

  test('a line of exactly the limit is read', () => {
    expect(read('"12345678"\n', { maxLineBytes: 10 })).toEqual(['12345678']);
  });

  test('an over-long line keeps no more than the limit in memory', () => {
    const reader = new NdjsonReader({ maxLineBytes: 1024 });
    const piece = encoder.encode('x'.repeat(1024));
    const values = Array.from({ length: 1000 }, () => reader.push(piece)).flat();
    expect(values).toHaveLength(1);
    expect(reader.push(encoder.encode('\n1\n'))).toEqual([1]);
  });

  test('a line of several megabytes is the same in any pieces, and so are its neighbours', () => {
    const text = `{"a":1}\n${JSON.stringify('grüße 😀 '.repeat(300_000))}\n{"b":2}\n`;
    const bytes = encoder.encode(text);
    const whole = readAll(new NdjsonReader(), [bytes]);
    for (const size of [60_001, 1_000_003]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(readAll(new NdjsonReader(), pieces)).toEqual(whole);
    }
    expect(whole).toHaveLength(3);
  });

  test('the end of the input in the middle of a line is a fault', () => {
    const [fault] = read('{"a":');
    expect(fault).toMatchObject({ code: 'truncated', bytes: 5 });
  });

  test('a last line without a newline is read when it is whole', () => {
    expect(read('{"a":1}\n{"b":2}')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test('two values in one line are no message', () => {
    expect(read('{"a":1}{"b":2}\n')).toEqual([expect.objectContaining({ code: 'malformed' })]);
  });
});

/** Where an over-long line was cut depends on the split; that it was too long does not. */
function toComparable(value: unknown): unknown {
  return value instanceof FrameFault && value.code === 'too-large' ? 'too-large' : value;
}
