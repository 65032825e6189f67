import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case, Metric, Sample, Unit } from '../case.ts';
import { runProgram } from '../child.ts';
import { numberAt, numbersOf } from '../sample.ts';

/** How far from linear a cost may be: that of one unit beside the same at the next smaller size. */
const mostGrowth = 1.2;

/** What a session costs that is one of many. */
export const scaleSessions: Case = scaleOf({
  name: 'scale-sessions',
  title: 'scale: sessions in one hub, with turns of 20 chunks in all of them at once',
  sizes: [1, 10, 100, 1000],
  unit: 'sessions',
  costs: [
    { key: 'open', title: 'time to open one', unit: 'microseconds', grows: 'openCpu', base: 10 },
    { key: 'turn', title: 'time of a turn for each', unit: 'microseconds', grows: 'turnCpu', base: 10 },
    // What the process frees meanwhile is more than ten sessions take.
    { key: 'bytes', title: 'heap of one after a turn', unit: 'bytes', grows: 'bytes', base: 100 },
  ],
  measure: async (size) =>
    numbersOf(
      await runProgram('scale-sessions', [size, 1000, 20].map(String), { nodeOptions: ['--expose-gc'] }),
    ),
});

/** What an event costs in a log that is long. */
export const scaleLogs: Case = scaleOf({
  name: 'scale-logs',
  title: 'scale: the event log of a session',
  sizes: [1000, 10_000, 100_000, 1_000_000],
  unit: 'events',
  costs: [
    logCost('open', 'time for each event to its state'),
    logCost('search', 'time for each event to search it for words that it does not have'),
    logCost('attach', 'time for each event to follow it from the last one'),
    // Not for each event: nothing is read.
    {
      key: 'live',
      title: 'time to follow it from its last event in the process of its owner',
      unit: 'microseconds',
    },
  ],
  prepare: async (folder, sizes) => {
    for (const size of [...sizes, warmUpEvents]) {
      await runProgram('event-log', ['write', folder, `events-${size}`, String(size)]);
    }
  },
  measure: async (size, folder) => {
    const repeats = Math.max(1, Math.min(9, Math.round(200_000 / size)));
    const args = [folder, `events-${size}`, `events-${warmUpEvents}`, String(repeats)];
    return numbersOf(await runProgram('scale-logs', args, { nodeOptions: ['--expose-gc'] }));
  },
});

/** The log that a process has read before it is measured. */
const warmUpEvents = 5000;

/** What a file costs in a workspace that is large. */
export const scaleWorkspaces: Case = scaleOf({
  name: 'scale-workspaces',
  title: 'scale: checkpoints of a repository, 15 files in a folder',
  sizes: [1000, 10_000, 50_000, 200_000],
  unit: 'files',
  costs: [
    // The processes of git that a checkpoint starts take as long as a thousand files.
    {
      key: 'first',
      title: 'the first one, for each file',
      unit: 'microseconds',
      grows: 'first',
      base: 10_000,
    },
    {
      key: 'unchanged',
      title: 'unchanged, for each file',
      unit: 'microseconds',
      grows: 'unchanged',
      base: 10_000,
    },
    {
      key: 'status',
      title: 'git status, for each file',
      unit: 'microseconds',
      grows: 'status',
      base: 10_000,
    },
  ],
  // The first round makes the trees, which takes longer than everything else.
  measure: async (size, folder) => {
    const report = numbersOf(await runProgram('checkpoint', [folder, String(size), '15', '5']));
    const forEach = (key: string): number => (numberAt(report, key) * 1000) / size;
    return { first: forEach('firstMs'), unchanged: forEach('takeMs'), status: forEach('statusMs') };
  },
});

interface Scaling {
  readonly name: string;
  readonly title: string;
  /** From the smallest to the largest. */
  readonly sizes: readonly number[];
  readonly unit: string;
  readonly costs: readonly Cost[];
  /** Makes what all rounds measure. */
  readonly prepare?: (folder: string, sizes: readonly number[]) => Promise<void>;
  /** Returns the costs of one unit. */
  readonly measure: (size: number, folder: string) => Promise<Sample>;
}

/** What is measured at each size, for one unit. */
interface Cost {
  readonly key: string;
  readonly title: string;
  readonly unit: Unit;
  /**
   * What is compared with the next smaller size: processor time where all of it is one process's, because another program
   * on the machine does not change it. @default nothing
   */
  readonly grows?: string;
  /** The smallest size whose fixed costs do not matter: growth is measured from here. @default the smallest of all */
  readonly base?: number;
}

function logCost(key: string, title: string): Cost {
  return { key, title, unit: 'microseconds', grows: `${key}Cpu`, base: 10_000 };
}

function scaleOf({ name, title, sizes, unit, costs, prepare, measure }: Scaling): Case {
  const folder = once(() => {
    const made = mkdtempSync(join(tmpdir(), 'parley-bench-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    return made;
  });
  let prepared: Promise<void> | undefined;
  return {
    name,
    title,
    metrics: costs.flatMap((cost) => metricsOf(cost, sizes, unit)),
    contenders: {
      ours: async (scale) => {
        const scaled = sizes.map((size) => scale.count(size));
        prepared ??= prepare?.(folder(), scaled);
        await prepared;
        const costOf: Sample[] = [];
        for (const size of scaled) costOf.push(await measure(size, folder()));
        const sample: Record<string, number> = {};
        for (const { key, grows } of costs) {
          for (const [index, size] of sizes.entries()) {
            const now = costOf[index] ?? {};
            const smaller = costOf[index - 1];
            sample[`${key}${size}`] = numberAt(now, key);
            if (grows !== undefined && smaller !== undefined) {
              sample[`${key}${size}Growth`] = numberAt(now, grows) / numberAt(smaller, grows);
            }
          }
        }
        return sample;
      },
    },
  };
}

function metricsOf(cost: Cost, sizes: readonly number[], unit: string): readonly Metric[] {
  const { key, title, grows, base = 0 } = cost;
  return sizes.flatMap((size, index): Metric[] => {
    const smaller = sizes[index - 1];
    const value: Metric = {
      key: `${key}${size}`,
      title: `${title}, of ${counted(size)} ${unit}`,
      unit: cost.unit,
      better: 'less',
      goal: { kind: 'none' },
    };
    if (grows === undefined || smaller === undefined || smaller < base) return [value];
    const what = grows === key ? title : `${title}, as processor time`;
    const growth: Metric = {
      key: `${key}${size}Growth`,
      title: `${what}, of ${counted(size)} ${unit} beside ${counted(smaller)}`,
      unit: 'times',
      better: 'less',
      goal: { kind: 'value', atMost: mostGrowth },
    };
    return [value, growth];
  });
}

function counted(size: number): string {
  return size.toLocaleString('en');
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
