import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOutputExcerpt } from './output-excerpt.ts';

const encoder = new TextEncoder();

function excerptOf(pieces: readonly Uint8Array[], limitBytes: number) {
  const excerpt = createOutputExcerpt({ limitBytes });
  for (const piece of pieces) excerpt.append(piece);
  return excerpt;
}

test('output within the limit is unchanged', () => {
  const excerpt = excerptOf([encoder.encode('one\n'), encoder.encode('two')], 7);
  expect(excerpt.text()).toBe('one\ntwo');
  expect(excerpt.truncated).toBe(false);
});

test('longer output keeps its beginning and its end, and a line says how much is omitted', () => {
  const excerpt = excerptOf(
    [encoder.encode('begin'), encoder.encode('x'.repeat(1000)), encoder.encode('the end')],
    14,
  );
  expect(excerpt.text()).toBe('beginxx\n[998 bytes are left out here]\nthe end');
  expect(excerpt.truncated).toBe(true);
});

test('no line is begun where the beginning ends with one', () => {
  expect(excerptOf([encoder.encode('a\nb\nc\nd\n')], 4).text()).toBe('a\n[4 bytes are left out here]\nd\n');
});

test('a limit of nothing keeps nothing, and says so', () => {
  expect(excerptOf([encoder.encode('abc')], 0).text()).toBe('[3 bytes are left out here]\n');
});

test('any split of the bytes gives the same text: whole characters, and all of them where nothing is left out', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.nat(), { maxLength: 8 }),
      fc.nat({ max: 100 }),
      (text, cuts, limitBytes) => {
        const bytes = encoder.encode(text);
        const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        const places = [
          0,
          ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b),
          bytes.length,
        ];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const split = excerptOf(pieces, limitBytes);
        expect(split.text()).toBe(excerptOf([bytes], limitBytes).text());
        if (!split.truncated) {
          expect(split.text()).toBe(whole);
          return;
        }
        const [, head, dropped, tail] =
          /^([^]*?)\n?\[(\d+) bytes are left out here\]\n([^]*)$/u.exec(split.text()) ?? [];
        expect(whole.startsWith(head ?? '?')).toBe(true);
        expect(whole.endsWith(tail ?? '?')).toBe(true);
        expect(Number(dropped)).toBeGreaterThan(0);
        expect(encoder.encode((head ?? '') + (tail ?? '')).length).toBeLessThanOrEqual(limitBytes);
      },
    ),
  );
});
