import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OutputLines } from './output-lines.ts';

const bytes = new TextEncoder().encode('{"a":"grüße 😀"}\n\n[1]\nno json\n');
const whole = [
  { text: '{"a":"grüße 😀"}', value: { a: 'grüße 😀' } },
  { text: '', value: undefined, fault: 'it is not JSON' },
  { text: '[1]', value: [1] },
  { text: 'no json', value: undefined, fault: 'it is not JSON' },
];

test('any split of the bytes gives the same lines', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
      const lines = new OutputLines();
      const places = [0, ...cuts.toSorted((left, right) => left - right), bytes.length];
      const read = places.slice(1).flatMap((end, index) => lines.push(bytes.slice(places[index], end)));
      expect([...read, ...lines.end()]).toEqual(whole);
    }),
  );
});

test.each([
  ['bytes that are no UTF-8', [0x22, 0xff, 0x22, 0x0a], 'it is not UTF-8'],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x31, 0x0a], 'it is not JSON'],
])('%s are a fault of their line', (_name, line, fault) => {
  expect(new OutputLines().push(Uint8Array.from(line))).toMatchObject([{ value: undefined, fault }]);
});

test('a last line without a newline is a fault', () => {
  const lines = new OutputLines();
  expect(lines.push(new TextEncoder().encode('{}'))).toEqual([]);
  expect(lines.end()).toEqual([{ text: '{}', value: undefined, fault: 'it has no newline at its end' }]);
});
