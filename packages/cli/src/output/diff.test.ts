import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines, maxEdits } from './diff.ts';

const show = (oldText: string, newText: string, context?: number): string[] =>
  diffLines(oldText, newText, context).map(({ sign, text }) => sign + text);

test('a new file is all added, a removed one all removed', () => {
  expect(show('', 'a\nb\n')).toEqual(['+a', '+b']);
  expect(show('a\nb\n', '')).toEqual(['-a', '-b']);
});

test('a changed line is shown between its neighbors', () => {
  expect(show('1\n2\n3\n4\n5\n', '1\n2\nX\n4\n5\n')).toEqual([' 2', '-3', '+X', ' 4']);
});

test('lines between two distant changes are not shown', () => {
  expect(show('a\n1\n2\n3\n4\nb', 'A\n1\n2\n3\n4\nB')).toEqual(['-a', '+A', ' 1', ' 4', '-b', '+B']);
});

test('equal texts have no difference', () => {
  expect(show('a\nb', 'a\nb')).toEqual([]);
});

test('two distant changes of a long text are compared line by line', () => {
  const middle = Array.from({ length: 2000 }, (_, line) => `${String(line)}\n`).join('');
  expect(show(`a\n${middle}b`, `A\n${middle}B`)).toEqual(['-a', '+A', ' 0', ' 1999', '-b', '+B']);
});

test('texts with too many differences are displayed as one block', () => {
  const lines = (name: string): string[] =>
    Array.from({ length: maxEdits }, (_, line) => (line % 2 === 0 ? 'same' : `${name} ${String(line)}`));
  const [before, after] = [lines('old'), lines('new')];
  expect(show(`a\n${before.join('\n')}`, `b\n${after.join('\n')}`)).toEqual([
    ...['a', ...before].map((text) => `-${text}`),
    ...['b', ...after].map((text) => `+${text}`),
  ]);
});

test('with full context, a diff contains the old and the new text', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const lines = diffLines(before, after, 100);
      const side = (other: string): string =>
        lines
          .filter(({ sign }) => sign !== other)
          .map((line) => `${line.text}\n`)
          .join('');
      expect(side('+')).toBe(before);
      expect(side('-')).toBe(after);
    }),
  );
});
