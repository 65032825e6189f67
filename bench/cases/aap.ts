import { fileURLToPath } from 'node:url';
import type { Case, Metric, Sample, Scale } from '../case.ts';
import { programPath, runProgram } from '../child.ts';
import { numberAt, numbersOf } from '../sample.ts';

const parley = fileURLToPath(new URL('../../../packages/cli/bin/parley.js', import.meta.url));

const cpu: Metric = {
  key: 'cpu',
  title: 'processor time of the server per event',
  unit: 'microseconds',
  better: 'less',
  goal: { kind: 'none' },
};

/** What a gateway can bring from agents to applications at most. */
export const aapFanout: Case = {
  name: 'aap-fanout',
  title:
    '500 AAP sessions that stream 1,000 events each at once, an event of each in each turn of the event loop',
  metrics: [
    {
      key: 'rate',
      title: 'events',
      unit: 'per second',
      better: 'more',
      goal: { kind: 'of-limit', atLeast: 0.6 },
    },
    { ...cpu, goal: { kind: 'of-limit', atLeast: 0.6 } },
    { key: 'peak', title: 'memory at its peak', unit: 'bytes', better: 'less', goal: { kind: 'none' } },
  ],
  contenders: contenders((scale) => ({ events: scale.count(1000), gapMs: 0 })),
};

/** What a turn costs besides its events: its request, its prompt, and what is on the disk before it is accepted and before it ends. */
export const aapShortTurns: Case = {
  name: 'aap-short-turns',
  title: '500 AAP sessions with a turn of 200 events each at once',
  metrics: [
    {
      key: 'rate',
      title: 'events',
      unit: 'per second',
      better: 'more',
      goal: { kind: 'of-limit', atLeast: 0.6 },
    },
    cpu,
  ],
  contenders: contenders((scale) => ({ events: scale.count(200), gapMs: 0 })),
};

/** What those who read wait for, at a pace that language models have. */
export const aapPaced: Case = {
  name: 'aap-paced',
  title: '500 AAP sessions that stream 10 events a second each',
  metrics: [
    {
      key: 'p50',
      title: 'median from agent frame to HTTP byte',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'p99',
      title: 'the same, 99 of 100',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    cpu,
  ],
  contenders: contenders((scale) => ({ events: scale.count(50), gapMs: 100 })),
};

/** Whether many agents at once lose anything: the client fails when an event is missing. */
export const aapProcesses: Case = {
  name: 'aap-processes',
  title: '50 AAP sessions, each with a process of our own agent, 2,000 events each',
  metrics: [
    { key: 'rate', title: 'events', unit: 'per second', better: 'more', goal: { kind: 'none' } },
    { ...cpu, title: 'processor time of the gateway per event' },
    { key: 'peak', title: 'memory at its peak', unit: 'bytes', better: 'less', goal: { kind: 'none' } },
  ],
  contenders: {
    ours: (scale) =>
      driveFanout([programPath('fanout-processes'), parley], {
        sessions: 50,
        events: scale.count(2000),
        gapMs: 0,
      }),
  },
};

interface Pace {
  readonly events: number;
  readonly gapMs: number;
}

function contenders(paceFor: (scale: Scale) => Pace): Case['contenders'] {
  return {
    ours: (scale) => driveFanout([programPath('fanout-ours')], { sessions: 500, ...paceFor(scale) }),
    limit: (scale) => driveFanout([programPath('fanout-bare')], { sessions: 500, ...paceFor(scale) }),
  };
}

/** What a fan-out does, and how many servers share it. */
interface Fanout extends Pace {
  readonly sessions: number;
  /** @default 1 */
  readonly servers?: number;
}

/** Has servers stream to applications. @param server The program of each, and its arguments. */
export async function driveFanout(
  server: readonly string[],
  { sessions, events, gapMs, servers = 1 }: Fanout,
): Promise<Sample> {
  const args = [sessions, events, gapMs, servers].map(String);
  const report = numbersOf(await runProgram('drive-fanout', [...args, ...server]));
  return {
    rate: numberAt(report, 'rate'),
    cpu: numberAt(report, 'cpuMicros') / (sessions * events),
    peak: numberAt(report, 'peakBytes'),
    ...(report['p50'] !== undefined && { p50: report['p50'] / 1000 }),
    ...(report['p99'] !== undefined && { p99: report['p99'] / 1000 }),
  };
}
