import { expect, test } from 'vitest';
import { titlePieces } from './tool-title.ts';

test('code in a title is marked', () => {
  expect(titlePieces({ title: 'Run `npm test` in `a`' })).toEqual([
    { text: 'Run ', isCode: false },
    { text: 'npm test', isCode: true },
    { text: ' in ', isCode: false },
    { text: 'a', isCode: true },
  ]);
  expect(titlePieces({ title: 'a ` b' })).toEqual([{ text: 'a ` b', isCode: false }]);
});

test("without a title the tool's name is shown, and without a name nothing", () => {
  expect(titlePieces({ name: 'bash' })).toEqual([{ text: 'bash', isCode: false }]);
  expect(titlePieces({ title: ' ' })).toEqual([]);
});

test('a title that is too long is truncated', () => {
  expect(titlePieces({ title: 'x'.repeat(5000) })[0]?.text).toHaveLength(401);
});
