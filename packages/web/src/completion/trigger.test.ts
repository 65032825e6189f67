import { expect, test } from 'vitest';
import { commandOf, mentionsIn, triggerAt } from './trigger.ts';

test.each([
  ['@', { kind: 'file', from: 0, to: 1, query: '' }],
  ['look at @src/a', { kind: 'file', from: 8, to: 14, query: 'src/a' }],
  ['(@a', { kind: 'file', from: 1, to: 3, query: 'a' }],
  ['看看@src', { kind: 'file', from: 2, to: 6, query: 'src' }],
  ['/re', { kind: 'command', from: 0, to: 3, query: 're' }],
  ['/', { kind: 'command', from: 0, to: 1, query: '' }],
])('behind "%s" something is completed', (text, trigger) => {
  expect(triggerAt(text, text.length)).toEqual(trigger);
});

test.each(['', 'ada@example.com', 'a /re', '@src/a.ts ', '/review it', 'npm i react@19', 'x/@scope'])(
  'behind "%s" nothing is completed',
  (text) => {
    expect(triggerAt(text, text.length)).toBeUndefined();
  },
);

test('a command is completed as a whole, wherever the caret is', () => {
  expect(triggerAt('/review it', 3)).toEqual({ kind: 'command', from: 0, to: 7, query: 're' });
});

test('a file far inside of a long text is found without reading all of it', () => {
  const text = `${'x '.repeat(100_000)}@a`;

  expect(triggerAt(text, text.length)).toMatchObject({ from: 200_000, query: 'a' });
});

test('only known files are mentions, in the order of the text', () => {
  const text = 'see @b.ts, then @a.ts.';

  expect(mentionsIn(text, ['a.ts', 'b.ts', 'c.ts'])).toEqual(['b.ts', 'a.ts']);
});

test('a file whose path is a prefix of another path is not mentioned', () => {
  expect(mentionsIn('@src/a.tsx @src/a.ts.map', ['src/a.ts', 'src'])).toEqual([]);
});

test('a path may have spaces', () => {
  expect(mentionsIn('read @my notes.md please', ['my notes.md'])).toEqual(['my notes.md']);
});

test('a command is recognized by the first word', () => {
  expect(commandOf('/review')).toEqual({ name: 'review', hasInput: false });
  expect(commandOf('/review ')).toEqual({ name: 'review', hasInput: false });
  expect(commandOf('/review all')).toEqual({ name: 'review', hasInput: true });
  expect(commandOf('no /review')).toBeUndefined();
});
