import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMentions } from './find-mentions.ts';

const lines = { first: 10, last: 20 };

test.each([
  ['look at @src/a.ts please', [[{ path: 'src/a.ts' }]]],
  ['@src/', [[{ path: 'src/' }]]],
  ['@"with space.md" and @b', [[{ path: 'with space.md' }], [{ path: 'b' }]]],
  ['@"with space.md"#L10-L20', [[{ path: 'with space.md', lines }]]],
  ['(@a.ts)', [[{ path: 'a.ts)' }, { path: 'a.ts' }]]],
  ['see @a.ts.', [[{ path: 'a.ts.' }, { path: 'a.ts' }]]],
  ['@a.ts#L10-20', [[{ path: 'a.ts#L10-20' }, { path: 'a.ts', lines }]]],
  ['@a.ts:10-20,', [[{ path: 'a.ts:10-20,' }, { path: 'a.ts:10-20' }, { path: 'a.ts', lines }]]],
  ['@a.ts:10', [[{ path: 'a.ts:10' }, { path: 'a.ts', lines: { first: 10, last: 10 } }]]],
  ['one\n@two', [[{ path: 'two' }]]],
  ['me@example.com, @ alone, @@twice, `@code`, @...', []],
])('%j', (text, mentions) => {
  expect(findMentions(text)).toEqual(mentions);
});

test('any text is parsed, and quickly', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('@', '"', 'a', ' ', '#', ':', '1', '-', '.', '\n', '(', ')')),
      (parts) => {
        for (const meanings of findMentions(parts.join(''))) expect(meanings.length).toBeGreaterThan(0);
      },
    ),
  );
  expect(findMentions('@"'.repeat(100_000)).length).toBeLessThan(100_001);
  expect(findMentions(`@${'1:'.repeat(100_000)}`)).toHaveLength(1);
});
