import type { Case } from '../case.ts';
import { runPair } from '../pair.ts';
import type { Library } from '../pair.ts';
import { numberAt } from '../sample.ts';

/** An agent that reads many files at once through its client. */
export const roundTrips: Case = {
  name: 'round-trips-64',
  title: '100,000 fs/read_text_file over stdio, 64 in flight',
  metrics: [
    {
      key: 'rate',
      title: 'round trips',
      unit: 'per second',
      better: 'more',
      goal: { kind: 'times-better', atLeast: 4 },
    },
  ],
  contenders: {
    ours: (scale) => throughput('ours', scale.count(100_000)),
    official: (scale) => throughput('official', scale.count(100_000)),
    'vscode-jsonrpc': (scale) => throughput('vscode', scale.count(100_000)),
    limit: (scale) => throughput('bare', scale.count(100_000)),
  },
};

/** An agent that reads one file after the other. */
export const roundTripLatency: Case = {
  name: 'round-trips-1',
  title: '10,000 fs/read_text_file over stdio, one in flight',
  metrics: [
    {
      key: 'p50',
      title: 'median latency',
      unit: 'microseconds',
      better: 'less',
      goal: { kind: 'part', atMost: 0.8 },
    },
  ],
  contenders: {
    ours: (scale) => latency('ours', scale.count(10_000)),
    official: (scale) => latency('official', scale.count(10_000)),
    'vscode-jsonrpc': (scale) => latency('vscode', scale.count(10_000)),
    limit: (scale) => latency('bare', scale.count(10_000)),
  },
};

async function throughput(library: Library, count: number): Promise<{ readonly rate: number }> {
  const report = await runPair(library, library, { kind: 'reads', count, inFlight: 64 });
  return { rate: count / numberAt(report, 'seconds') };
}

async function latency(library: Library, count: number): Promise<{ readonly p50: number }> {
  const report = await runPair(library, library, { kind: 'reads', count, inFlight: 1 });
  return { p50: numberAt(report, 'roundTripP50Micros') };
}
