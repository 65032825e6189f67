import type { Case, Sample } from '../case.ts';
import { runPair } from '../pair.ts';
import type { Library } from '../pair.ts';
import { numberAt } from '../sample.ts';

const mebibyte = 1024 * 1024;

/** One message as large as a file of generated code; what sends it is the same bare agent for all. */
export const longLine: Case = {
  name: 'long-line',
  title: 'receiving a single line of 64 MiB',
  metrics: [
    { key: 'seconds', title: 'time', unit: 'seconds', better: 'less', goal: { kind: 'part', atMost: 1 } },
    { key: 'peak', title: 'peak memory', unit: 'bytes', better: 'less', goal: { kind: 'part', atMost: 0.8 } },
    {
      key: 'growth',
      title: 'time per byte beside a line of 16 MiB',
      unit: 'times',
      better: 'less',
      goal: { kind: 'value', atMost: 1.25 },
    },
    {
      key: 'halfGrowth',
      title: 'time per byte beside a line of 32 MiB',
      unit: 'times',
      better: 'less',
      goal: { kind: 'value', atMost: 1.25 },
    },
  ],
  contenders: {
    ours: () => receive('ours'),
    official: () => receive('official'),
    limit: () => receive('bare'),
  },
};

async function receive(library: Library): Promise<Sample> {
  const [quarter, half, full] = [
    await receiveLine(library, 16 * mebibyte),
    await receiveLine(library, 32 * mebibyte),
    await receiveLine(library, 64 * mebibyte),
  ];
  const seconds = numberAt(full, 'seconds');
  return {
    seconds,
    peak: numberAt(full, 'peakBytes'),
    growth: seconds / 4 / numberAt(quarter, 'seconds'),
    halfGrowth: seconds / 2 / numberAt(half, 'seconds'),
  };
}

function receiveLine(library: Library, bytes: number): Promise<Readonly<Record<string, number>>> {
  return runPair(library, 'bare', { kind: 'line', bytes });
}
