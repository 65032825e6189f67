import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, howToGetChromium } from '../../packages/web/test/find-chromium.ts';
import type { Case, Sample, Scale } from '../case.ts';
import { programPath, runProgram } from '../child.ts';
import { chunkUpdate, toolUpdate } from '../programs/payload.ts';
import { numberAt, numbersOf } from '../sample.ts';

/** What a user waits for, and sees, when opening a long session in the browser. */
export const webSession: Case = {
  name: 'web-session',
  title: 'a session of 50,000 events in the browser',
  metrics: [
    {
      key: 'openMs',
      title: 'time until its end is on the screen',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'longestTaskMs',
      title: 'longest time without a frame meanwhile',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'frameMs',
      title: 'frame time while scrolling, 95th percentile',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'value', atMost: 50 },
    },
    { key: 'heapBytes', title: 'memory of its page', unit: 'bytes', better: 'less', goal: { kind: 'none' } },
  ],
  contenders: {
    ours: (scale) => inBrowser((place) => measureOurs(place, scale)),
    limit: (scale) => inBrowser((place) => measureLimit(place, scale)),
  },
};

/** How long what an agent says takes to the eyes of a user who watches. */
export const webLive: Case = {
  name: 'web-live',
  title: 'a watched session in the browser, 50 chunks a second',
  metrics: [
    {
      key: 'medianMs',
      title: 'from the agent’s frame to the document, median',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'value', atMost: 30 },
    },
    {
      key: 'p95Ms',
      title: 'from the agent’s frame to the document, 95th percentile',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
  ],
  contenders: {
    ours: (scale) => inBrowser((place) => watch('ours', place, scale)),
    limit: (scale) => inBrowser((place) => watch('limit', place, scale)),
  },
};

/** Changes that are too many to be displayed at once. */
export const webChanges: Case = {
  name: 'web-changes',
  title: '1,000 changed files and one of 20,000 lines in the browser',
  metrics: [
    {
      key: 'openMs',
      title: 'time until the first one is on the screen',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'longestTaskMs',
      title: 'longest time without a frame while they open',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'scrollTaskMs',
      title: 'longest time without a frame while scrolling',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'frameMs',
      title: 'frame time while scrolling, 95th percentile',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'value', atMost: 50 },
    },
  ],
  contenders: {
    ours: (scale) => inBrowser((place) => measureChanges('ours', place, scale)),
    limit: (scale) => inBrowser((place) => measureChanges('limit', place, scale)),
  },
};

/** Whether the page stays responsive while 1,000 sub-agents run. */
export const webSubagents: Case = {
  name: 'web-subagents',
  title: '1,000 sub-agents and 100,000 updates in the browser',
  metrics: [
    {
      key: 'allMs',
      title: 'time until the end of all is shown',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'frameMs',
      title: 'frame time meanwhile, 95th percentile',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'value', atMost: 50 },
    },
    {
      key: 'longestTaskMs',
      title: 'longest time without a frame meanwhile',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    {
      key: 'blockedMs',
      title: 'tasks beyond 50 ms, in all',
      unit: 'milliseconds',
      better: 'less',
      goal: { kind: 'none' },
    },
    { key: 'heapBytes', title: 'memory of its page', unit: 'bytes', better: 'less', goal: { kind: 'none' } },
  ],
  contenders: {
    ours: (scale) => inBrowser((place) => watchSubagents('ours', place, scale)),
    limit: (scale) => inBrowser((place) => watchSubagents('limit', place, scale)),
  },
};

const command = fileURLToPath(new URL('../../../packages/cli/bin/parley.js', import.meta.url));
const key = '20260101T000000-0123456789ab';

/** Where a session is measured: in which browser, with what in a folder that is removed afterwards. */
interface Place {
  readonly chromium: string;
  readonly folder: string;
}

async function measureOurs({ chromium, folder }: Place, scale: Scale): Promise<Sample> {
  await runProgram('event-log', ['write', join(folder, 'sessions'), key, String(scale.count(50_000))]);
  return toSample(await runProgram('web-session', ['ours', chromium, folder, key, command]));
}

async function measureLimit({ chromium, folder }: Place, scale: Scale): Promise<Sample> {
  const events = Array.from({ length: scale.count(50_000) }, (_, index) => ({
    seq: index + 1,
    time: index,
    type: 'update',
    update: index % 40 < 20 ? chunkUpdate(index) : toolUpdate(index),
  }));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'events.json'), JSON.stringify(events));
  return toSample(await runProgram('web-session', ['limit', chromium, folder]));
}

async function watchSubagents(
  what: 'ours' | 'limit',
  { chromium, folder }: Place,
  scale: Scale,
): Promise<Sample> {
  const agent = await configure(folder, 'busy', 'subagents-agent');
  const count = String(scale.count(100_000));
  const numbers = numbersOf(
    await runProgram('web-subagents', [what, chromium, agent, count, folder, command]),
  );
  const metrics = ['allMs', 'frameMs', 'longestTaskMs', 'blockedMs', 'heapBytes'];
  return Object.fromEntries(metrics.map((metric) => [metric, numberAt(numbers, metric)]));
}

/** Has an agent of the bench served by that name. @returns its program */
async function configure(folder: string, name: string, program: string): Promise<string> {
  const agent = programPath(program);
  const agents = { [name]: { command: process.execPath, args: [agent] } };
  await writeFile(join(folder, 'config.json'), JSON.stringify({ agents }));
  return agent;
}

async function watch(what: 'ours' | 'limit', { chromium, folder }: Place, scale: Scale): Promise<Sample> {
  const agent = await configure(folder, 'paced', 'paced-agent');
  const count = String(scale.count(500));
  const report = await runProgram('web-live', [what, chromium, agent, count, folder, command]);
  const numbers = numbersOf(report);
  return { medianMs: numberAt(numbers, 'medianMs'), p95Ms: numberAt(numbers, 'p95Ms') };
}

async function measureChanges(
  what: 'ours' | 'limit',
  { chromium, folder }: Place,
  scale: Scale,
): Promise<Sample> {
  const [files, lines] = [String(scale.count(1000)), String(scale.count(20_000))];
  const agent = programPath('changing-agent');
  const report = await runProgram('web-changes', [what, chromium, folder, command, agent, files, lines]);
  const numbers = numbersOf(report);
  return {
    openMs: numberAt(numbers, 'openMs'),
    longestTaskMs: numberAt(numbers, 'longestTaskMs'),
    scrollTaskMs: numberAt(numbers, 'scrollTaskMs'),
    frameMs: numberAt(numbers, 'frameMs'),
  };
}

function toSample(report: unknown): Sample {
  const numbers = numbersOf(report);
  return {
    openMs: numberAt(numbers, 'openMs'),
    longestTaskMs: numberAt(numbers, 'longestTaskMs'),
    frameMs: numberAt(numbers, 'frameMs'),
    heapBytes: numberAt(numbers, 'heapBytes'),
  };
}

async function inBrowser(use: (place: Place) => Promise<Sample>): Promise<Sample> {
  const chromium = await findChromium();
  if (chromium === undefined) throw new Error(`No Chromium. ${howToGetChromium}`);
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  try {
    return await use({ chromium, folder });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
