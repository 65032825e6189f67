import { expect, test } from 'vitest';
import { PromptQueue } from './prompt-queue.ts';

function queueOf(...lines: readonly string[]): PromptQueue {
  const queue = new PromptQueue();
  for (const line of lines) queue.add(line);
  return queue;
}

function linesOf(queue: PromptQueue): (string | undefined)[] {
  return Array.from({ length: queue.length }, () => queue.shift());
}

test('lines wait in order, and are shown with their numbers', () => {
  const queue = queueOf('one', 'two\nlines');
  expect(queue.change('')).toEqual({ said: 'sent when this turn has ended:\n  1  one\n  2  two lines' });
  expect(linesOf(queue)).toEqual(['one', 'two\nlines']);
  expect(queue.change(' ')).toEqual({ said: 'nothing waits' });
});

test.each([
  ['drop 2', ['a', 'c']],
  ['drop all', []],
  ['move 3 1', ['c', 'a', 'b']],
  ['move 1 3', ['b', 'c', 'a']],
  ['move  2   2', ['a', 'b', 'c']],
])('%s', (words, left) => {
  const queue = queueOf('a', 'b', 'c');
  queue.change(words);
  expect(linesOf(queue)).toEqual(left);
});

test('a line that is edited is taken out, and given back as it was', () => {
  const queue = queueOf('a', ' b  b ');
  expect(queue.change('edit 2')).toEqual({ draft: ' b  b ' });
  expect(linesOf(queue)).toEqual(['a']);
});

test.each(['drop', 'drop 0', 'drop 3', 'drop x', 'edit 1 2', 'move 1', 'move 1 9', 'sort', 'edit -1'])(
  '%s changes nothing, and says why',
  (words) => {
    const queue = queueOf('a', 'b');
    expect(queue.change(words)).toEqual({
      said: expect.stringMatching(/there is no such line|\/queue drop N/),
    });
    expect(linesOf(queue)).toEqual(['a', 'b']);
  },
);
