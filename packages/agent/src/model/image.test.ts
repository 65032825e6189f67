import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodedBytes, imageTypeOf, isBase64, toModelImage } from './image.ts';

test('output of Buffer is Base64, with the same number of bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      expect(isBase64(text)).toBe(true);
      expect(decodedBytes(text)).toBe(bytes.length);
    }),
  );
});

test('non-canonical Base64 is rejected', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('A', 'B', 'Q', '/', '=', ' ', '-', '\n'), maxLength: 9 }),
      (text) => {
        const isExact = text !== '' && Buffer.from(text, 'base64').toString('base64') === text;
        expect(isBase64(text)).toBe(isExact);
      },
    ),
  );
});

test('a long text is checked without recursion', () => {
  expect(isBase64('A'.repeat(28_000_000))).toBe(true);
});

test.each([
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0], 'image/png'],
  [[0xff, 0xd8, 0xff, 0xe0, 0, 0], 'image/jpeg'],
  [[...Buffer.from('GIF89a'), 1, 0], 'image/gif'],
  [[...Buffer.from('RIFF'), 0x9a, 0xff, 0x01, 0xe3, ...Buffer.from('WEBPVP8 ')], 'image/webp'],
  [[...Buffer.from('RIFF'), 0x9a, 0xff, 0x01, 0xe3, ...Buffer.from('WAVEfmt ')], undefined],
  [[...Buffer.from('<svg></svg>')], undefined],
])('the type of an image is known by its first bytes: %j', (bytes, type) => {
  expect(imageTypeOf(Buffer.from(bytes).toString('base64'))).toBe(type);
});

test('the declared type of an image is used where its bytes do not identify it', () => {
  expect(toModelImage('AAAA', 'image/PNG')).toEqual({ mimeType: 'image/png', data: 'AAAA' });
  expect(toModelImage('AAAA', 'image/bmp')).toBeUndefined();
  expect(toModelImage('AAA', 'image/png')).toBeUndefined();
});
