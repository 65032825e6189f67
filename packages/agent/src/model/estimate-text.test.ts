import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { expect, test } from 'vitest';
import { estimateTextTokens } from './estimate-text.ts';

test('the estimate of any text is that of tokenx', () => {
  const ascii = fc.string({ unit: 'binary-ascii', maxLength: 40 });
  const likeCode = fc.array(
    fc.constantFrom(
      '\n',
      '\r\n',
      ' ',
      '\t',
      'word',
      'Word',
      'longer',
      'internationalization',
      '7',
      '1234',
      ';',
      '--',
      '=======',
      "'",
      'é',
      '好',
      '。',
    ),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        ascii,
        likeCode.map((parts) => parts.join('')),
      ),
      (text) => {
        expect(estimateTextTokens(text)).toBe(estimateTokenCount(text));
      },
    ),
    { numRuns: 2000 },
  );
});
