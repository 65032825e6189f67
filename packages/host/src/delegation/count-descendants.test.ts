import { expect, test } from 'vitest';
import type { SessionHead } from '../store/session-head.ts';
import { countDescendants } from './count-descendants.ts';

function head(key: string, parent?: string): SessionHead {
  const start: SessionHead['start'] = {
    seq: 1,
    time: 0,
    type: 'journal-start',
    key,
    program: 'test',
    agent: 'none',
    cwd: '/',
    ...(parent !== undefined && { parent }),
  };
  return { key, start, updatedAt: 0 };
}

test('stored sessions below a session count at any depth, once, also in a damaged cycle', async () => {
  const heads = [
    head('root'),
    head('other'),
    head('below other', 'other'),
    head('first', 'root'),
    head('second', 'root'),
    head('below first', 'first'),
    head('ring', 'tail'),
    head('tail', 'ring'),
  ];
  const store = { list: () => Promise.resolve(heads) };

  expect(await countDescendants(store, 'root')).toBe(3);
  expect(await countDescendants(store, 'second')).toBe(0);
  expect(await countDescendants(store, 'ring')).toBe(1);
});
