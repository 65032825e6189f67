import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findPostgres, startPostgres } from '@parley/conformance';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { buildPrograms } from './build.mjs';
import { cases } from './cases/all.ts';
import { webSession } from './cases/web.ts';
import { judge } from './judge.ts';
import { measure } from './measure.ts';
import { chunkUpdate } from './programs/payload.ts';
import { notesName, notesText } from './programs/scripted-model.ts';
import { createTally } from './programs/tally.ts';
import type { Work } from './programs/work.ts';
import { toMarkdown, toText } from './report/table.ts';
import { runSql } from './with-database.ts';

let folder = '';

beforeAll(async () => {
  folder = await buildPrograms(`parley-bench-test-${process.pid}`, { fromSources: true });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const works: readonly Work[] = [
  { kind: 'tool-updates', count: 200 },
  { kind: 'reads', count: 200, inFlight: 8 },
];

describe('the programs of the benchmark do the measured work', () => {
  test.each([
    ['ours', 'ours'],
    ['ours', 'official'],
    ['official', 'official'],
    ['vscode', 'vscode'],
    ['bare', 'bare'],
  ])('with the client of %s and the agent of %s', async (client, agent) => {
    for (const work of works) {
      const report = await runClient(client, agent, work);
      expect(JSON.parse(report)).toMatchObject({
        seconds: expect.any(Number),
        agentCpuMicros: expect.any(Number),
      });
    }
  });
});

test.each(['coding-ours', 'coding-official', 'coding-bare'])(
  'the coding agent %s runs the turns it is measured by',
  async (agent) => {
    const cwd = await mkdtemp(join(tmpdir(), 'parley-bench-'));
    await writeFile(join(cwd, notesName), notesText);
    const report = await runProgram('drive-turns', [cwd, '2', '20', program(agent), join(cwd, 'state')]);
    expect(JSON.parse(report)).toMatchObject({
      firstMicros: expect.any(Number),
      stepMicros: expect.any(Number),
    });
    await rm(cwd, { recursive: true, force: true });
  },
);

test('the client with host, event log and state has the complete state at the end', async () => {
  const report = await runClient('host', 'ours', { kind: 'tool-updates', count: 200 });
  expect(JSON.parse(report)).toMatchObject({ peakBytes: expect.any(Number) });
});

test('an event log is opened, searched and followed at its end', async () => {
  const files = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  for (const key of ['long', 'other']) await runProgram('event-log', ['write', files, key, '50']);
  const report = await runProgram('scale-logs', [files, 'long', 'other', '1']);
  const costs = ['open', 'search', 'attach', 'live'].map((key) => [key, expect.any(Number)]);
  expect(JSON.parse(report)).toMatchObject(Object.fromEntries(costs));
  await rm(files, { recursive: true, force: true });
});

test.each([
  ['the gateway', ['fanout-ours']],
  ['node:http', ['fanout-bare']],
  ['the gateway with processes', ['fanout-processes', process.env['PARLEY_TEST_BIN'] ?? '']],
])('each event arrives that is streamed by %s', async (_name, [server = '', ...args]) => {
  const report = await runProgram('drive-fanout', ['3', '20', '0', '1', program(server), ...args]);
  expect(JSON.parse(report)).toMatchObject({ rate: expect.any(Number), cpuMicros: expect.any(Number) });
});

describe.skipIf('missing' in findPostgres())('with PostgreSQL', () => {
  test('replicas store and follow each event, bare inserts store the same rows, and clients of two replicas receive each chunk', async () => {
    await using server = await startPostgres(runSql);
    const url = await server.createDatabase();
    const stored = await runProgram('drive-replicas', ['2', program('append-events'), url, '4', '20']);
    expect(JSON.parse(stored)).toMatchObject({ rate: expect.any(Number), cpu: expect.any(Number) });
    expect(JSON.parse(await runProgram('bare-inserts', [url]))).toMatchObject({ rows: 164 });
    const streamed = await runProgram('drive-fanout', ['3', '20', '0', '2', program('fanout-ours'), url]);
    expect(JSON.parse(streamed)).toMatchObject({ rate: expect.any(Number) });
    const command = process.env['PARLEY_TEST_BIN'] ?? '';
    const files = await mkdtemp(join(tmpdir(), 'parley-bench-'));
    const watched = await runProgram('replica-latency', [command, url, files, program('paced-agent'), '5']);
    expect(JSON.parse(watched)).toMatchObject({ p50: expect.any(Number), nearP50: expect.any(Number) });
    await rm(files, { recursive: true, force: true });
  });
});

test('a tally is complete with the last message, and fails on other text', async () => {
  const work: Work = { kind: 'chunks', count: 2 };
  const right = createTally(work);
  for (const index of [0, 1]) right.count(chunkUpdate(index));
  await right.complete;
  const wrong = createTally(work);
  for (const index of [1, 0]) wrong.count(chunkUpdate(index));
  await expect(wrong.complete).rejects.toThrow('message 1 is wrong');
});

test('a finding compares ours with the official SDK in each round', () => {
  const [subject] = cases;
  if (subject === undefined) throw new Error('there is no case');
  const findings = judge(subject, {
    rounds: [
      { ours: { rate: 800, cpu: 1 }, official: { rate: 100, cpu: 4 } },
      { ours: { rate: 900, cpu: 1 }, official: { rate: 100, cpu: 4 } },
      { ours: { rate: 100, cpu: 1 }, official: { rate: 100, cpu: 4 } },
    ],
    failures: {},
  });
  expect(findings.map(({ ratio, outcome }) => ({ ratio, outcome }))).toEqual([
    { ratio: { median: 8, min: 1, max: 9 }, outcome: { kind: 'met' } },
    { ratio: { median: 4, min: 4, max: 4 }, outcome: { kind: 'missed', by: 0.5 } },
  ]);
  expect(toMarkdown(findings)).toContain('| 8.00x (1.00 to 9.00) |');
});

test('without Chromium the browser case is skipped and says once what to do', async () => {
  vi.stubEnv('CHROMIUM_PATH', join(folder, 'nowhere'));
  onTestFinished(() => void vi.unstubAllEnvs());

  const measurement = await measure(webSession, { rounds: 2, scale: { count: () => 1 } });
  const report = toText(judge(webSession, measurement));

  expect(report.match(/^.*Chromium.*$/gmu)).toEqual([
    'web-session was not measured. ours, limit: No Chromium. Install it, or say in CHROMIUM_PATH where it is.',
  ]);
  expect(report.match(/outcome not measured/gu)).toHaveLength(webSession.metrics.length);
});

/** Runs a client program to its end; gives what it printed. */
function runClient(client: string, agent: string, work: Work): Promise<string> {
  return runProgram(`client-${client}`, [JSON.stringify(work), program(`agent-${agent}`)]);
}

function program(name: string): string {
  return `${folder}programs/${name}.mjs`;
}

async function runProgram(name: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program(name), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const status = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  const [output, complaint, ended] = await Promise.all([text(child.stdout), text(child.stderr), status]);
  if (ended !== 0) throw new Error(`status ${String(ended)}: ${complaint}`);
  return output;
}
