import { describe, expect, test } from 'vitest';
import { LoopDetector } from './loop-detector.ts';

const limits = { maxIdenticalCalls: 3, maxIdenticalRounds: 3 };

/** For each step, a call and what comes of it, whether it is one of a loop. */
function loops(steps: readonly (readonly [call: string, result?: string])[]): boolean[] {
  const detector = new LoopDetector(limits);
  return steps.map(([path, result = 'ok']) => {
    const reason = detector.findLoop({ id: '1', name: 'read', input: { path } });
    detector.takeResults(result);
    return reason !== undefined;
  });
}

describe('the same call', () => {
  test('three times in a row is a loop, with any result', () => {
    expect(
      loops([
        ['a', '1'],
        ['a', '2'],
        ['a', '3'],
      ]),
    ).toEqual([false, false, true]);
  });

  test('starts again after another call or with other arguments', () => {
    expect(loops([['a'], ['a'], ['b'], ['a'], ['c'], ['a']])).not.toContain(true);
    const detector = new LoopDetector(limits);
    const names = ['read', 'read', 'list', 'read', 'read'];
    expect(names.map((name) => detector.findLoop({ id: '1', name, input: {} }))).toEqual(
      Array(5).fill(undefined),
    );
  });
});

describe('the same few calls', () => {
  test('alternating with the same results are a loop in the third round', () => {
    expect(loops([['a'], ['b'], ['a'], ['b'], ['a'], ['b']])).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(loops([['a'], ['b'], ['c'], ['a'], ['b'], ['c'], ['a'], ['b'], ['c']]).indexOf(true)).toBe(8);
  });

  test('are not a loop while one of their results changes', () => {
    const steps = Array.from(
      { length: 10 },
      (_, round) => [['edit'], ['test', `result ${String(round)}`]] as const,
    );
    expect(loops(steps.flat())).not.toContain(true);
  });

  test('that fail in the same way are a loop too', () => {
    const steps = Array.from(
      { length: 3 },
      () =>
        [
          ['a', 'no such file'],
          ['b', 'no such file'],
        ] as const,
    );
    expect(loops(steps.flat()).at(-1)).toBe(true);
  });

  test('are a loop at any starting point, but not after another call', () => {
    expect(loops([['x'], ['y'], ['a'], ['b'], ['a'], ['b'], ['a'], ['b']]).at(-1)).toBe(true);
    expect(loops([['a'], ['b'], ['a'], ['b'], ['x'], ['a'], ['b']])).not.toContain(true);
  });
});

test('the message names the repeated call', () => {
  const detector = new LoopDetector(limits);
  const reasons = ['a', 'b', 'a', 'b', 'a', 'b'].map((path) => {
    const reason = detector.findLoop({ id: '1', name: 'read', input: { path } });
    detector.takeResults('');
    return reason;
  });
  expect(reasons.at(-1)).toBe('The same 2 calls, with the same results, came 3 times in a row');
});
