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

const command = fileURLToPath(new URL('../../../packages/cli/bin/parley.js', import.meta.url));
const key = '20260101T000000-0123456789ab';

/** Where a session is measured: in which browser, with what in a folder that is removed afterwards. */
interface Place {
  readonly chromium: string;
  readonly folder: string;
}

async function measureOurs({ chromium, folder }: Place, scale: Scale): Promise<Sample> {
  await runProgram('event-log', ['write', join(folder, 'sessions', key), String(scale.count(50_000))]);
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

async function watch(what: 'ours' | 'limit', { chromium, folder }: Place, scale: Scale): Promise<Sample> {
  const agent = programPath('paced-agent');
  await writeFile(
    join(folder, 'config.json'),
    JSON.stringify({ agents: { paced: { command: process.execPath, args: [agent] } } }),
  );
  const count = String(scale.count(500));
  const report = await runProgram('web-live', [what, chromium, agent, count, folder, command]);
  const numbers = numbersOf(report);
  return { medianMs: numberAt(numbers, 'medianMs'), p95Ms: numberAt(numbers, 'p95Ms') };
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
