import { allWorktrees, generateName, type FindWorktreesOptions } from '@parley/workspace/worktree';

/** Runners of a race. */
export const mostRunners = 16;

/** What the runners of these agents are called: `A`, and `A-2` where an agent runs twice. */
export function toLabels(agents: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return agents.map((agent) => {
    const label = toLabel(agent);
    const count = (counts.get(label) ?? 0) + 1;
    counts.set(label, count);
    return count === 1 ? label : `${label}-${String(count)}`;
  });
}

/**
 * Returns an id that is not the start of any worktree's name on this machine, so that the ids of runners are unique.
 */
export async function freeRaceId(labels: readonly string[], options: FindWorktreesOptions): Promise<string> {
  const names = new Set((await allWorktrees(options)).map(({ name }) => name));
  for (;;) {
    const id = generateName();
    if (labels.every((label) => !names.has(runnerName(id, label)))) return id;
  }
}

/** The id of a runner, which is the name of its worktree. */
export function runnerName(race: string, label: string): string {
  return `${race}-${label}`;
}

/** What a runner is called, as part of the name of a worktree. */
function toLabel(agent: string): string {
  const label = agent
    .replace(/^[a-z]+:\/\//u, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
  return label === '' ? 'agent' : label.slice(0, mostLabelCharacters);
}

/** Characters of a runner's label. */
const mostLabelCharacters = 40;
