import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Case, Metric, Sample, Scale } from '../case.ts';
import { programPath, runProgram } from '../child.ts';
import { numberAt, numbersOf } from '../sample.ts';
import { withDatabase } from '../with-database.ts';
import { driveFanout } from './aap.ts';

const parley = fileURLToPath(new URL('../../../packages/cli/bin/parley.js', import.meta.url));

const rate: Metric = {
  key: 'rate',
  title: 'events',
  unit: 'per second',
  better: 'more',
  goal: { kind: 'of-limit', atLeast: 0.5 },
};

const cpu: Metric = {
  key: 'cpu',
  title: 'processor time of the replicas per event',
  unit: 'microseconds',
  better: 'less',
  goal: { kind: 'none' },
};

/** What one replica stores and shows to clients, beside bare inserts of the same rows. */
export const replicaEvents: Case = {
  name: 'replica-events',
  title:
    'one replica with PostgreSQL: 100 sessions of 500 tool call updates at once, stored and then followed',
  metrics: [
    rate,
    cpu,
    { ...rate, key: 'filesRate', title: 'events with the store of files', goal: { kind: 'none' } },
  ],
  contenders: {
    ours: async (scale) => ({
      ...(await withDatabase((url) => append(url, 1, scale))),
      filesRate: numberAt(await append('files', 1, scale), 'rate'),
    }),
    limit: (scale) => insert(1, scale),
  },
};

/** The same with two replicas of one database. */
export const replicasEvents: Case = {
  name: 'replicas-events',
  title: 'two replicas with PostgreSQL: the same',
  metrics: [rate, cpu],
  contenders: {
    ours: (scale) => withDatabase((url) => append(url, 2, scale)),
    limit: (scale) => insert(2, scale),
  },
};

/** The whole way from agents to applications, beside the store of files. */
export const replicaFanout: Case = {
  name: 'replica-fanout',
  title: '200 AAP sessions with PostgreSQL that stream 500 events each at once',
  metrics: [
    { ...rate, title: 'events of one replica', goal: { kind: 'none' } },
    { ...cpu, title: 'processor time of one replica per event' },
    { ...rate, key: 'twoRate', title: 'events of two replicas', goal: { kind: 'none' } },
    { ...rate, key: 'filesRate', title: 'events with the store of files', goal: { kind: 'none' } },
  ],
  contenders: {
    ours: async (scale) => {
      const work = { sessions: 200, events: scale.count(500), gapMs: 0 };
      const one = await withDatabase((url) => driveFanout([programPath('fanout-ours'), url], work));
      const two = await withDatabase((url) =>
        driveFanout([programPath('fanout-ours'), url], { ...work, servers: 2 }),
      );
      const files = await driveFanout([programPath('fanout-ours')], work);
      return { ...one, twoRate: numberAt(two, 'rate'), filesRate: numberAt(files, 'rate') };
    },
  },
};

/** How long what an agent says takes to a client of another replica. */
export const replicaLatency: Case = {
  name: 'replica-latency',
  title: 'two replicas with PostgreSQL: 50 chunks a second',
  metrics: [
    {
      ...milliseconds('p50', 'median from the agent’s frame to a client of the other replica'),
      goal: { kind: 'value', atMost: 20 },
    },
    milliseconds('p99', 'the same, 99 of 100'),
    milliseconds('nearP50', 'median to a client of the replica that runs the session'),
    milliseconds('nearP99', 'the same, 99 of 100'),
  ],
  contenders: {
    ours: (scale) => inReplicas('replica-latency', (args) => [...args, String(scale.count(400))]),
    limit: (scale) =>
      withDatabase(async (url) =>
        numbersOf(await runProgram('notify-latency', [url, String(scale.count(400))])),
      ),
  },
};

/** What idle sessions cost. */
export const idleSessions: Case = {
  name: 'idle-sessions',
  title: 'a replica with PostgreSQL and 10,000 idle sessions',
  metrics: [
    {
      key: 'ownQueries',
      title: 'queries more than without sessions',
      unit: 'per second',
      better: 'less',
      goal: { kind: 'value', atMost: 1 },
    },
    { key: 'queries', title: 'queries', unit: 'per second', better: 'less', goal: { kind: 'none' } },
    milliseconds('cpuMs', 'processor time per second'),
    milliseconds('emptyCpuMs', 'processor time per second without sessions'),
    { key: 'connections', title: 'connections', unit: 'count', better: 'less', goal: { kind: 'none' } },
    { key: 'bytes', title: 'memory', unit: 'bytes', better: 'less', goal: { kind: 'none' } },
    {
      key: 'emptyBytes',
      title: 'memory without sessions',
      unit: 'bytes',
      better: 'less',
      goal: { kind: 'none' },
    },
  ],
  contenders: {
    ours: async (scale) => {
      const report = await inReplicas('idle-sessions', (args) => [...args, String(scale.count(10_000))]);
      const ownQueries = numberAt(report, 'queries') - numberAt(report, 'emptyQueries');
      return { ...report, ownQueries: Math.max(0, ownQueries) };
    },
  },
};

/** How long a session waits whose replica was killed. */
export const takeOver: Case = {
  name: 'take-over',
  title: 'two replicas with PostgreSQL, one of them killed in a turn, in times of the lease of 2 s',
  metrics: [
    times('ended', 'until clients see the end of the turn'),
    times('taken', 'until the other replica has taken it over'),
    {
      ...times('goneOn', 'until its agent has started, and done the prompt that waited'),
      goal: { kind: 'none' },
    },
  ],
  contenders: { ours: () => inReplicas('take-over', (args) => [...args, '2']) },
};

/** Runs a program that starts replicas of the built command. */
async function inReplicas(
  program: string,
  toArguments: (args: readonly string[]) => readonly string[],
): Promise<Sample> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  try {
    return await withDatabase(async (url) =>
      numbersOf(await runProgram(program, toArguments([parley, url, folder, programPath('paced-agent')]))),
    );
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function milliseconds(key: string, title: string): Metric {
  return { key, title, unit: 'milliseconds', better: 'less', goal: { kind: 'none' } };
}

function times(key: string, title: string): Metric {
  return { key, title, unit: 'times', better: 'less', goal: { kind: 'value', atMost: 2 } };
}

async function append(store: string, replicas: number, scale: Scale): Promise<Sample> {
  const args = [replicas, programPath('append-events'), store, 100, scale.count(500)].map(String);
  const report = numbersOf(await runProgram('drive-replicas', args));
  return { rate: numberAt(report, 'rate'), cpu: numberAt(report, 'cpu') };
}

function insert(replicas: number, scale: Scale): Promise<Sample> {
  return withDatabase(async (url) => {
    await append(url, replicas, scale);
    return { rate: numberAt(numbersOf(await runProgram('bare-inserts', [url])), 'rate') };
  });
}
