import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameFault } from '../framing/frame-fault.ts';
import { EventReader, type EventReaderOptions } from './event-reader.ts';
import { formatComment, formatEvent } from './format-event.ts';

const encoder = new TextEncoder();

function readAll(reader: EventReader, pieces: readonly Uint8Array[]): unknown[] {
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

function read(text: string, options?: EventReaderOptions): unknown[] {
  return readAll(new EventReader(options), [encoder.encode(text)]);
}

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...places, bytes.length].map((place, index) => bytes.subarray(places[index - 1] ?? 0, place));
}

/** What an event holds on the wire, once its lines are joined. */
const eventText = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((text) => text.replaceAll(/[\r\n\0]/g, ' '));

describe('EventReader', () => {
  test('any split of the bytes gives the same events, with any ends of lines', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        '',
        ':',
        ': ping',
        'data',
        'data:',
        'data: {"a":1}',
        'id: 7',
        'id',
        'event: x',
        'retry: 5',
      ),
      fc.constantFrom(
        'unknown: 1',
        'data:  two spaces',
        'DATA: no',
        '\uFEFFdata: mark',
        'data: grüße 😀',
        'id: a\0b',
      ),
    );
    const bytesOf = fc.oneof(
      line.map((text) => [...encoder.encode(text)]),
      fc.constant([0x64, 0x61, 0x74, 0x61, 0x3a, 0xc3, 0x28]),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(bytesOf, fc.constantFrom([10], [13], [13, 10])), { maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.constantFrom(undefined, 12, 30),
        (lines, cuts, maxEventBytes) => {
          const bytes = Uint8Array.from(lines.flatMap(([text, end]) => [...text, ...end]));
          const options = maxEventBytes === undefined ? {} : { maxEventBytes };
          const whole = readAll(new EventReader(options), [bytes]);
          const pieces = readAll(new EventReader(options), split(bytes, cuts));
          expect(pieces.map(toComparable)).toEqual(whole.map(toComparable));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('what formatEvent writes comes back', () => {
    const event = fc.record(
      { event: eventText, id: eventText, data: fc.string({ unit: 'grapheme' }) },
      { requiredKeys: ['data'] },
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const text = events.map((each) => `${formatComment('between')}${formatEvent(each)}`).join('');
        let id: string | undefined;
        expect(read(text)).toEqual(
          events.map((each) => {
            id = each.id ?? id;
            return {
              event: each.event === undefined || each.event === '' ? 'message' : each.event,
              data: each.data.replaceAll(/\r\n|\r/g, '\n'),
              ...(id !== undefined && { id }),
            };
          }),
        );
      }),
    );
  });

  test('lines of data are joined, one space after the colon is removed, an empty line is a line', () => {
    expect(read('data: a\ndata:b\ndata:  c\ndata\n\n')).toEqual([{ event: 'message', data: 'a\nb\n c\n' }]);
    expect(read('data:\n\n')).toEqual([{ event: 'message', data: '' }]);
  });

  test('an event without data is none, and its kind does not pass to the next', () => {
    expect(read('event: a\n\ndata: 1\n\n')).toEqual([{ event: 'message', data: '1' }]);
  });

  test('an id applies to the events that follow, and is known without an event', () => {
    const reader = new EventReader();
    const events = reader.push(encoder.encode('id: 1\ndata: a\n\ndata: b\n\nid: 3\nretry: 250\n\n'));
    expect(events).toEqual([
      { event: 'message', data: 'a', id: '1' },
      { event: 'message', data: 'b', id: '1' },
    ]);
    expect(reader.lastEventId).toBe('3');
    expect(reader.retryMs).toBe(250);
  });

  test('an event is delivered as soon as its empty line ends in CR, and the LF that follows is no second one', () => {
    const reader = new EventReader();
    expect(reader.push(encoder.encode('data: a\r\n\r'))).toEqual([{ event: 'message', data: 'a' }]);
    expect(reader.push(encoder.encode('\ndata: b\r\n\r\n'))).toEqual([{ event: 'message', data: 'b' }]);
  });

  test('a byte order mark is skipped at the start only', () => {
    expect(read('\uFEFFdata: a\n\n\uFEFFdata: b\n\n')).toEqual([{ event: 'message', data: 'a' }]);
  });

  test('an event that is too long is one fault, reported as soon as it is known, and skipped', () => {
    const reader = new EventReader({ maxEventBytes: 20 });
    expect(reader.push(encoder.encode('data: 0123456789012345'))).toEqual([
      expect.objectContaining({ code: 'too-large' }),
    ]);
    expect(reader.push(encoder.encode('6789\ndata: more\n'))).toEqual([]);
    expect(reader.push(encoder.encode('\ndata: b\n\n'))).toEqual([{ event: 'message', data: 'b' }]);
  });

  test('many short lines are too long together', () => {
    expect(read(`${'data\n'.repeat(10)}\ndata: b\n\n`, { maxEventBytes: 20 })).toEqual([
      expect.objectContaining({ code: 'too-large' }),
      { event: 'message', data: 'b' },
    ]);
  });

  test('bytes that are not UTF-8 are a fault, not replacement characters', () => {
    const bytes = Uint8Array.from([
      ...encoder.encode('data: '),
      0xc3,
      0x28,
      ...encoder.encode('\n\ndata: b\n\n'),
    ]);
    expect(readAll(new EventReader(), [bytes])).toEqual([
      expect.objectContaining({ code: 'encoding' }),
      { event: 'message', data: 'b' },
    ]);
  });

  test('a stream that ends in the middle of an event is reported as truncated', () => {
    expect(read('data: a\n\ndata: b\n')).toEqual([
      { event: 'message', data: 'a' },
      expect.objectContaining({ code: 'truncated', head: 'b' }),
    ]);
    expect(read('data: a\n\n: bye\n')).toEqual([{ event: 'message', data: 'a' }]);
  });

  test('an event of several megabytes is the same in any pieces', () => {
    const data = 'grüße 😀 '.repeat(300_000);
    const bytes = encoder.encode(formatEvent({ data }));
    const pieces = Array.from({ length: Math.ceil(bytes.length / 60_001) }, (_, index) =>
      bytes.subarray(index * 60_001, (index + 1) * 60_001),
    );
    expect(readAll(new EventReader(), pieces)).toEqual([{ event: 'message', data }]);
  });
});

describe('formatEvent', () => {
  test('writes the fields in one order', () => {
    expect(formatEvent({ data: '{"a":1}' })).toBe('data: {"a":1}\n\n');
    expect(formatEvent({ event: 'turn_start', data: '{}', id: '5', retryMs: 100 })).toBe(
      'id: 5\nevent: turn_start\nretry: 100\ndata: {}\n\n',
    );
  });

  test('a line break in the data is a line of its own, one in a name is refused', () => {
    expect(formatEvent({ data: 'a\nb\r\nc' })).toBe('data: a\ndata: b\ndata: c\n\n');
    expect(() => formatEvent({ event: 'a\nb', data: '' })).toThrow(TypeError);
    expect(() => formatEvent({ id: 'a\0', data: '' })).toThrow(TypeError);
  });

  test('a comment with any content is skipped by readers', () => {
    expect(formatComment()).toBe(':\n\n');
    expect(formatComment('a\ndata: b')).toBe(': a\n: data: b\n\n');
  });
});

/** How much of a bad event was read depends on the split; that it was bad does not. */
function toComparable(value: unknown): unknown {
  return value instanceof FrameFault ? value.code : value;
}
