import type { Case, Sample } from '../case.ts';
import { programPath } from '../child.ts';
import { timeToInitialize } from '../start-agent.ts';

/** How long a user waits for a new agent process to answer `initialize`. */
export const start: Case = {
  name: 'start',
  title: 'a minimal agent from its start to its initialize answer',
  metrics: [
    {
      key: 'milliseconds',
      title: 'time',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'part', atMost: 0.5 },
    },
  ],
  contenders: {
    ours: () => startOf('agent-ours'),
    official: () => startOf('agent-official'),
    limit: () => startOf('agent-bare'),
  },
};

async function startOf(program: string): Promise<Sample> {
  return { milliseconds: await timeToInitialize([programPath(program)]) };
}
