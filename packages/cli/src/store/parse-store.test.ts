import { expect, test } from 'vitest';
import { parseStore } from './parse-store.ts';

const place = (typed: string | undefined, env = {}): unknown => parseStore(typed, { cwd: '/work', env });

test.each([
  ['postgres://me@db/parley', { kind: 'database', url: 'postgres://me@db/parley' }],
  ['postgresql://db/parley', { kind: 'database', url: 'postgresql://db/parley' }],
  ['./sessions', { kind: 'folder', folder: '/work/sessions' }],
  ['a:b', { kind: 'folder', folder: '/work/a:b' }],
])('the store %s is found', (typed, expected) => {
  expect(place(typed)).toEqual(expected);
  expect(place(undefined, { PARLEY_STORE: typed })).toEqual(expected);
});

test.each(['mysql://me:word@db/parley', 'Postgres://db/parley', 'postgres:db', 'file:///tmp/sessions'])(
  'the URL %s is neither a database of PostgreSQL nor a folder',
  (typed) => {
    expect(() => place(typed)).toThrow(
      '--store: not a URL of PostgreSQL; expected postgres://USER@HOST/DATABASE',
    );
    expect(() => place(undefined, { PARLEY_STORE: typed })).toThrow(/^PARLEY_STORE: not a URL/u);
  },
);
