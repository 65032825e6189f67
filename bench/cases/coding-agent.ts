import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case, Sample } from '../case.ts';
import { programPath, runProgram } from '../child.ts';
import { notesName, notesText } from '../programs/scripted-model.ts';
import { numberAt, numbersOf } from '../sample.ts';

/** Our coding agent beside one on the official SDK that has the same scripted model and does the least it can. */
export const codingAgent: Case = {
  name: 'coding-agent',
  title: 'a coding agent with a scripted model over stdio',
  metrics: [
    {
      key: 'firstMicros',
      title: 'from a prompt to the first text',
      unit: 'microseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'stepMicros',
      title: 'a step that reads a file, of 2,000 in one turn',
      unit: 'microseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
  ],
  contenders: {
    ours: (scale) => drive('coding-ours', scale.count(200), scale.count(2000)),
    official: (scale) => drive('coding-official', scale.count(200), scale.count(2000)),
    limit: (scale) => drive('coding-bare', scale.count(200), scale.count(2000)),
  },
};

async function drive(program: string, turns: number, steps: number): Promise<Sample> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  try {
    const cwd = await mkdtemp(join(folder, 'project-'));
    await writeFile(join(cwd, notesName), notesText);
    const args = [cwd, String(turns), String(steps), programPath(program), join(folder, 'state')];
    const report = numbersOf(await runProgram('drive-turns', args));
    return { firstMicros: numberAt(report, 'firstMicros'), stepMicros: numberAt(report, 'stepMicros') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a session that is used for days takes. */
export const manyTurns: Case = {
  name: 'many-turns',
  title: 'a session after 1,000 turns, with a model of 32,000 tokens',
  metrics: [
    {
      key: 'growth',
      title: 'heap of the process beside that after 500 turns',
      unit: 'times',
      better: 'less',
      goal: { kind: 'value', atMost: 1.05 },
    },
    { key: 'late', title: 'heap of the process', unit: 'bytes', better: 'less', goal: { kind: 'none' } },
  ],
  contenders: {
    ours: (scale) => inProcess('many-turns-ours', scale.count(1000)),
    official: (scale) => inProcess('many-turns-official', scale.count(1000)),
  },
};

/** What a server with many users takes. */
export const manySessions: Case = {
  name: 'many-sessions',
  title: '500 sessions of a coding agent in one process',
  metrics: [
    {
      key: 'bytes',
      title: 'heap of a session after a turn',
      unit: 'bytes',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'turnMicros',
      title: 'a turn with one step in all of them at once, for each',
      unit: 'microseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
  ],
  contenders: {
    ours: (scale) => inProcess('many-sessions-ours', scale.count(500)),
    official: (scale) => inProcess('many-sessions-official', scale.count(500)),
  },
};

async function inProcess(program: string, count: number): Promise<Sample> {
  return numbersOf(await runProgram(program, [String(count)], { nodeOptions: ['--expose-gc'] }));
}
