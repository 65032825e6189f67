import { expect, test } from 'vitest';
import { PromptQueue } from './prompt-queue.ts';

function queueOf(...lines: readonly string[]): PromptQueue {
  const queue = new PromptQueue();
  for (const line of lines) queue.add(line);
  return queue;
}

function linesOf(queue: PromptQueue): (string | undefined)[] {
  return Array.from({ length: queue.length }, () => queue.next());
}

test('queued prompts keep their order, and are shown with numbers', () => {
  const queue = queueOf('one', 'two\nlines');
  expect(queue.change('')).toEqual({ said: 'queued until this turn ends:\n  1  one\n  2  two lines' });
  expect(linesOf(queue)).toEqual(['one', 'two\nlines']);
  expect(queue.change(' ')).toEqual({ said: 'the queue is empty' });
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

test('an edited prompt leaves the queue and returns unchanged', () => {
  const queue = queueOf('a', ' b  b ');
  expect(queue.change('edit 2')).toEqual({ draft: ' b  b ' });
  expect(linesOf(queue)).toEqual(['a']);
});

test.each(['drop', 'drop 0', 'drop 3', 'drop x', 'edit 1 2', 'move 1', 'move 1 9', 'sort', 'edit -1'])(
  '%s changes nothing, and says why',
  (words) => {
    const queue = queueOf('a', 'b');
    expect(queue.change(words)).toEqual({
      said: expect.stringMatching(/no such prompt|\/queue drop N/),
    });
    expect(linesOf(queue)).toEqual(['a', 'b']);
  },
);

test('paused prompts are sent on request', () => {
  const queue = queueOf('a', 'b');
  queue.hold();
  expect([queue.isHeld, queue.next()]).toEqual([true, undefined]);
  expect(queue.change('')).toEqual({ said: 'queued; /queue send sends them:\n  1  a\n  2  b' });
  queue.change('send');
  expect([queue.isHeld, queue.next(), queue.next()]).toEqual([false, 'a', 'b']);
});

test('an empty queue is not paused', () => {
  const queue = queueOf();
  queue.hold();
  queue.add('a');
  expect(queue.next()).toBe('a');
});
