import type { ListedWorktree } from '@parley/host/hub';
import { expect, test } from 'vitest';
import { findRace, groupRaces } from './group-races.ts';

const worktree: ListedWorktree = {
  name: 'fix',
  path: '/fix',
  branch: 'parley/fix',
  base: 'a',
  baseRef: 'HEAD',
  checkout: '/work',
  createdAt: 1,
  state: 'clean',
  files: 0,
  additions: 0,
  deletions: 0,
};

function runner(id: string, label: string, startedAt: number): ListedWorktree {
  const race = { id, agent: label, prompt: `of ${id}`, startedAt, state: 'ended' } as const;
  return { ...worktree, name: `${id}-${label}`, race };
}

test('races are sorted newest first, and their runners by name', () => {
  const races = groupRaces([
    worktree,
    runner('old-1', 'a-10', 1),
    runner('new-2', 'b', 5),
    runner('old-1', 'a-2', 2),
    runner('old-1', 'a', 3),
  ]);

  expect(races.map(({ id, prompt }) => [id, prompt])).toEqual([
    ['new-2', 'of new-2'],
    ['old-1', 'of old-1'],
  ]);
  expect(races[1]?.runners.map(({ name }) => name)).toEqual(['old-1-a', 'old-1-a-2', 'old-1-a-10']);
});

test('a race is found by its id and by the name of a runner; a plain worktree is not a race', () => {
  const all = [worktree, runner('old-1', 'a', 1)];
  expect(findRace(all, 'old-1')?.id).toBe('old-1');
  expect(findRace(all, 'old-1-a')?.id).toBe('old-1');
  expect(findRace(all, 'fix')).toBeUndefined();
});
