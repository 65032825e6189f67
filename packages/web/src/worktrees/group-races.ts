import type { ListedRunner, ListedWorktree } from '@parley/host/hub';

/** A worktree in which a runner of a race works, or did. */
export interface Runner extends ListedWorktree {
  readonly race: ListedRunner;
}

/** A race, as far as its worktrees are there. */
export interface Race {
  readonly id: string;
  readonly prompt: string;
  readonly startedAt: number;
  /** By their names: `A`, `A-2`. */
  readonly runners: readonly Runner[];
}

/** The races of these worktrees, the newest first. */
export function groupRaces(worktrees: readonly ListedWorktree[]): readonly Race[] {
  const runners = worktrees.filter(isRunner);
  return [...new Set(runners.map(({ race }) => race.id))]
    .map((id): Race => {
      const own = runners
        .filter(({ race }) => race.id === id)
        .toSorted((left, right) => left.name.localeCompare(right.name, 'en', { numeric: true }));
      const [first] = own;
      const startedAt = Math.min(...own.map(({ race }) => race.startedAt));
      return { id, prompt: first?.race.prompt ?? '', startedAt, runners: own };
    })
    .toSorted((left, right) => right.startedAt - left.startedAt);
}

/** The race that a name means: its id, or the name of one of its worktrees. */
export function findRace(worktrees: readonly ListedWorktree[], name: string): Race | undefined {
  return groupRaces(worktrees).find(
    ({ id, runners }) => id === name || runners.some((runner) => runner.name === name),
  );
}

function isRunner(worktree: ListedWorktree): worktree is Runner {
  return worktree.race !== undefined;
}
