import { expect, test } from 'vitest';
import { splitExcerpt } from './excerpt.ts';

test.each([
  ['the old store', 4, 7, { before: 'the ', match: 'old', after: ' store' }],
  ['store', -3, 2, { before: '', match: 'st', after: 'ore' }],
  ['store', 3, 99, { before: 'sto', match: 're', after: '' }],
  ['store', 4, 1, { before: 'stor', match: '', after: 'e' }],
])('%j from %i to %i', (excerpt, start, end, marked) => {
  expect(splitExcerpt({ excerpt, start, end })).toEqual(marked);
});
