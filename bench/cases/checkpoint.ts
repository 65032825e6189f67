import type { Case, Metric } from '../case.ts';
import { runProgram } from '../child.ts';
import { numberAt, numbersOf } from '../sample.ts';

/** What a checkpoint costs in a turn that changed nothing, beside git on the same tree. */
export const checkpoint: Case = checkpointsOf('checkpoint', 10_000);

/** The same in a large repository. */
export const checkpointLarge: Case = checkpointsOf('checkpoint-large', 100_000);

/** How often each is measured in one run, in turn. */
const turns = 9;

function checkpointsOf(name: string, files: number): Case {
  return {
    name,
    title: `checkpoints of ${files.toLocaleString('en')} files`,
    metrics: [
      {
        key: 'ratio',
        title: 'unchanged, in times of git status',
        unit: 'times',
        better: 'less',
        goal: { kind: 'value', atMost: 3 },
      },
      time('takeMs', 'unchanged'),
      time('changedMs', 'with one changed file'),
      time('firstMs', 'the first one'),
      time('statusMs', 'git status'),
      time('stashMs', 'git stash create'),
    ],
    contenders: {
      ours: async (scale) => {
        const report = numbersOf(await runProgram('checkpoint', [String(scale.count(files)), String(turns)]));
        return {
          ratio: numberAt(report, 'ratio'),
          takeMs: numberAt(report, 'takeMs'),
          changedMs: numberAt(report, 'changedMs'),
          firstMs: numberAt(report, 'firstMs'),
          statusMs: numberAt(report, 'statusMs'),
          stashMs: numberAt(report, 'stashMs'),
        };
      },
    },
  };
}

function time(key: string, title: string): Metric {
  return { key, title, unit: 'milliseconds', better: 'less', goal: { kind: 'none' } };
}
