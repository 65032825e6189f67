import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case, Metric } from '../case.ts';
import { runProgram } from '../child.ts';
import { numberAt, numbersOf } from '../sample.ts';

/** What a checkpoint costs in a turn that changed nothing, beside git on the same tree. */
export const checkpoint: Case = checkpointsOf('checkpoint', { files: 10_000, perFolder: 15 });

/** The same in a repository of more than 3,000 folders. */
export const checkpointFolders: Case = checkpointsOf('checkpoint-folders', { files: 10_000, perFolder: 3 });

/** The same in a large repository. */
export const checkpointLarge: Case = checkpointsOf('checkpoint-large', { files: 100_000, perFolder: 15 });

interface Tree {
  readonly files: number;
  readonly perFolder: number;
}

/** How often each is measured in one run, in turn. */
const turns = 9;

function checkpointsOf(name: string, { files, perFolder }: Tree): Case {
  const folder = once(() => {
    const made = mkdtempSync(join(tmpdir(), 'parley-bench-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    return made;
  });
  return {
    name,
    title: `checkpoints of ${files.toLocaleString('en')} files, ${perFolder} in a folder`,
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
        const work = [scale.count(files), perFolder, turns].map(String);
        // The first round makes the tree, which takes longer than everything else.
        const report = numbersOf(await runProgram('checkpoint', [folder(), ...work]));
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

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
