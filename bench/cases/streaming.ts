import type { Case, Metric, Sample } from '../case.ts';
import { runPair } from '../pair.ts';
import type { Library } from '../pair.ts';
import type { Work } from '../programs/work.ts';
import { numberAt } from '../sample.ts';

/** An answer streamed word by word, both ends of the same library. */
export const chunks: Case = {
  name: 'chunks',
  title: '200,000 message chunks of 300 bytes over stdio',
  metrics: [rate(8), cpu(8)],
  contenders: {
    ours: (scale) => stream('ours', 'ours', { kind: 'chunks', count: scale.count(200_000) }),
    official: (scale) => stream('official', 'official', { kind: 'chunks', count: scale.count(200_000) }),
    'vscode-jsonrpc': (scale) => stream('vscode', 'vscode', { kind: 'chunks', count: scale.count(200_000) }),
    limit: (scale) => stream('bare', 'bare', { kind: 'chunks', count: scale.count(200_000) }),
  },
};

/** The progress of tool calls, both ends of the same library. */
export const toolUpdates: Case = {
  name: 'tool-updates',
  title: '200,000 tool call updates of 400 bytes over stdio',
  metrics: [rate(15)],
  contenders: {
    ours: (scale) => stream('ours', 'ours', { kind: 'tool-updates', count: scale.count(200_000) }),
    official: (scale) =>
      stream('official', 'official', { kind: 'tool-updates', count: scale.count(200_000) }),
    'vscode-jsonrpc': (scale) =>
      stream('vscode', 'vscode', { kind: 'tool-updates', count: scale.count(200_000) }),
    limit: (scale) => stream('bare', 'bare', { kind: 'tool-updates', count: scale.count(200_000) }),
  },
};

/** What a client gains whose agent is still written on the official SDK. */
export const officialSender: Case = {
  name: 'official-sender',
  title: '200,000 message chunks from an official agent',
  metrics: [
    rate(1.4),
    {
      key: 'clientCpu',
      title: 'processor time of the client per message',
      unit: 'microseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
  ],
  contenders: {
    ours: (scale) => stream('ours', 'official', { kind: 'chunks', count: scale.count(200_000) }),
    official: (scale) => stream('official', 'official', { kind: 'chunks', count: scale.count(200_000) }),
    limit: (scale) => stream('bare', 'official', { kind: 'chunks', count: scale.count(200_000) }),
  },
};

async function stream(
  client: Library,
  agent: Library,
  work: Extract<Work, { readonly count: number }>,
): Promise<Sample> {
  const report = await runPair(client, agent, work);
  const clientCpu = numberAt(report, 'clientCpuMicros') / work.count;
  const agentCpu = numberAt(report, 'agentCpuMicros') / work.count;
  return { rate: work.count / numberAt(report, 'seconds'), cpu: clientCpu + agentCpu, clientCpu };
}

function rate(atLeast: number): Metric {
  return {
    key: 'rate',
    title: 'messages',
    unit: 'per second',
    better: 'more',
    goal: { kind: 'times-better', atLeast },
  };
}

function cpu(atLeast: number): Metric {
  return {
    key: 'cpu',
    title: 'processor time of both ends per message',
    unit: 'microseconds',
    better: 'less',
    goal: { kind: 'times-better', atLeast },
  };
}
