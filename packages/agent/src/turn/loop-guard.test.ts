import { expect, test } from 'vitest';
import { LoopGuard } from './loop-guard.ts';

const call = (name: string, input: unknown) => ({ id: '1', name, input });

test('the same call three times in a row is a loop', () => {
  const guard = new LoopGuard(3);
  const seen = [1, 2, 3].map(() => guard.isLoop(call('read', { path: 'a' })));
  expect(seen).toEqual([false, false, true]);
});

test('another call, or other arguments, begin anew', () => {
  const guard = new LoopGuard(3);
  const calls = [
    call('read', { path: 'a' }),
    call('read', { path: 'a' }),
    call('read', { path: 'b' }),
    call('read', { path: 'a' }),
    call('list', { path: 'a' }),
    call('read', { path: 'a' }),
  ];
  expect(calls.map((each) => guard.isLoop(each))).not.toContain(true);
});
