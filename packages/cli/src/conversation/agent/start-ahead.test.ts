import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { AgentSpec } from '@parley/host';
import type { ProcessGroup, ProcessOptions } from '@parley/workspace';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Configuration } from '../../configuration/configuration.ts';
import { parseConversationFlags } from '../flags.ts';
import { startAhead, type AgentAhead } from './start-ahead.ts';

const cwd = tmpdir();
const configuration: Configuration = { defaultAgent: 'parley', agents: new Map(), rules: [] };

/** The agent whose command is this script, started ahead. */
async function ahead(script: string, given: Partial<Configuration> = {}): Promise<AgentAhead> {
  const spec: AgentSpec = {
    name: 'agent',
    reach: { by: 'command', command: process.execPath, args: ['-e', script] },
    env: { WORD: 'hello' },
  };
  const flags = parseConversationFlags({}, cwd);
  const started = await startAhead({ flags, configuration: { ...configuration, ...given }, spec });
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

/** What the host starts for this agent. */
function wantedOf({ spec: { reach, env = {} } }: AgentAhead): ProcessOptions {
  if (reach.by !== 'command') throw new Error('not a command');
  return { command: reach.command, args: reach.args ?? [], cwd, env };
}

function take(started: AgentAhead, wanted: ProcessOptions): ProcessGroup | undefined {
  const { reach } = started.spec;
  return reach.by === 'command' ? reach.startedAhead?.(wanted) : undefined;
}

/** The process, which must be there. */
function taken(started: AgentAhead): ProcessGroup {
  const group = take(started, wantedOf(started));
  if (group === undefined) throw new Error('no process was started ahead');
  return group;
}

test('the process is given once, and stays when the rest is disposed', async () => {
  const started = await ahead(`process.stdin.pipe(process.stdout)`);
  const group = taken(started);
  expect(take(started, wantedOf(started))).toBeUndefined();

  await started[Symbol.asyncDispose]();
  group.stdin.end('still here');
  expect(await text(group.stdout)).toBe('still here');
  await group.end();
});

test('what a process wrote before it exited can be read later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-ahead-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'pid');
  const started = await ahead(`
    process.stderr.write(process.env.WORD);
    process.stdout.write('bye');
    require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));
  `);
  const pid = await vi.waitFor(async () => {
    const written = Number(await readFile(file, 'utf8'));
    expect(written).toBeGreaterThan(0);
    return written;
  }, 60_000);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 60_000);
  await setImmediate();

  const { stdout, stderr } = taken(started);
  expect(await Promise.all([text(stdout), text(stderr)])).toEqual(['bye', 'hello']);
});

test('a process that was started in another way is not given, and ended', async () => {
  const started = await ahead(`setInterval(() => {}, 1000)`);
  const wanted = wantedOf(started);
  const others = [
    { ...wanted, cwd: '/' },
    { ...wanted, env: { WORD: 'other' } },
    { ...wanted, args: [] },
  ];
  expect(others.map((other) => take(started, other))).toEqual([undefined, undefined, undefined]);

  await started[Symbol.asyncDispose]();
  await expect(taken(started).exited).resolves.toEqual({ exitCode: null, signal: 'SIGTERM' });
});

test('an agent in a sandbox is not started ahead, nor is one that cannot be started', async () => {
  const sandbox = { user: { all: { mode: 'workspace' as const }, agents: new Map() } };
  const held = await ahead(``, { sandbox });
  expect(held.spec.reach).not.toHaveProperty('startedAhead');

  const flags = parseConversationFlags({}, cwd);
  const missing: AgentSpec = { name: 'agent', reach: { by: 'command', command: './missing-program' } };
  const notThere = await startAhead({ flags, configuration, spec: missing });
  expect(notThere.spec).toBe(missing);
});
