import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case, Sample } from '../case.ts';
import { runProgram } from '../child.ts';
import { runPair, type ClientName } from '../pair.ts';
import { numberAt, numbersOf } from '../sample.ts';

/** What it costs to keep a session and to show it while it runs, beside the connection alone. */
export const eventLog: Case = {
  name: 'event-log',
  title: '1,000,000 tool call updates through host, event log and view',
  metrics: [
    { key: 'rate', title: 'messages', unit: 'per second', better: 'more', goal: { kind: 'none' } },
    {
      key: 'clientCpu',
      title: 'processor time per message',
      unit: 'microseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    { key: 'peak', title: 'memory at its peak', unit: 'bytes', better: 'less', goal: { kind: 'none' } },
  ],
  contenders: {
    ours: (scale) => stream('host', scale.count(1_000_000)),
    limit: (scale) => stream('bare', scale.count(1_000_000)),
  },
};

/** How long a user waits for a long session to open. */
export const openEventLog: Case = {
  name: 'open-event-log',
  title: 'opening a session of 50,000 events',
  metrics: [
    {
      key: 'milliseconds',
      title: 'time to its view',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'value', atMost: 300 },
    },
  ],
  contenders: {
    ours: async (scale) => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
      try {
        await runProgram('event-log', ['write', folder, 'bench', String(scale.count(50_000))]);
        return {
          milliseconds: numberAt(
            numbersOf(await runProgram('event-log', ['open', folder, 'bench'])),
            'milliseconds',
          ),
        };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
};

/** How long a user waits for a search of all sessions. */
export const search: Case = {
  name: 'search',
  title: 'searching 100 sessions of 2,500 events',
  metrics: [
    {
      key: 'listMs',
      title: 'time to list them',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'noneMs',
      title: 'time for words that no session has',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'value', atMost: 1000 },
    },
    {
      key: 'oneMs',
      title: 'time for what was said in one',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'value', atMost: 1000 },
    },
  ],
  contenders: {
    ours: async (scale) => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
      try {
        await runProgram('search-event-logs', ['write', folder, String(scale.count(100))]);
        const report = numbersOf(await runProgram('search-event-logs', ['search', folder]));
        return {
          listMs: numberAt(report, 'listMs'),
          noneMs: numberAt(report, 'noneMs'),
          oneMs: numberAt(report, 'oneMs'),
        };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
};

async function stream(client: ClientName, count: number): Promise<Sample> {
  const report = await runPair(client, 'ours', { kind: 'tool-updates', count });
  return {
    rate: count / numberAt(report, 'seconds'),
    clientCpu: numberAt(report, 'clientCpuMicros') / count,
    peak: numberAt(report, 'peakBytes'),
  };
}
