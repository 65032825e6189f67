import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Case, Metric, Sample } from '../case.ts';
import { programPath, runNode, type NodeRunOptions } from '../child.ts';
import { runClient } from '../pair.ts';
import { streamText } from '../programs/payload.ts';
import { promptOf } from '../programs/work.ts';
import type { Work } from '../programs/work.ts';
import { numberAt } from '../sample.ts';
import { timeToInitialize } from '../start-agent.ts';

const parley = fileURLToPath(new URL('../../../packages/cli/bin/parley.js', import.meta.url));
const official = programPath('run-official');
const bareAgent = programPath('agent-bare');

/** `parley run` beside the same command written on the official SDK, both receiving from the bare agent. */
export const runChunks: Case = {
  name: 'run-chunks',
  title: '`parley run` receiving 200,000 message chunks, start and end included',
  metrics: [rate(4)],
  contenders: {
    ours: (scale) => receive('ours', { kind: 'chunks', count: scale.count(200_000) }),
    official: (scale) => receive('official', { kind: 'chunks', count: scale.count(200_000) }),
  },
};

/** The same with the progress of tool calls. */
export const runToolUpdates: Case = {
  name: 'run-tool-updates',
  title: '`parley run` receiving 200,000 tool call updates, start and end included',
  metrics: [rate(8)],
  contenders: {
    ours: (scale) => receive('ours', { kind: 'tool-updates', count: scale.count(200_000) }),
    official: (scale) => receive('official', { kind: 'tool-updates', count: scale.count(200_000) }),
  },
};

/** `parley agent` with its offline model beside a minimal official agent, both sending to the bare client. */
export const agentSending: Case = {
  name: 'agent-sending',
  title: '`parley agent` sending 200,000 message chunks',
  metrics: [rate(4)],
  contenders: {
    ours: (scale) => send([parley, 'agent'], { kind: 'repeat', count: scale.count(200_000) }),
    official: (scale) =>
      send([programPath('agent-official')], { kind: 'chunks', count: scale.count(200_000) }),
    limit: (scale) => send([bareAgent], { kind: 'chunks', count: scale.count(200_000) }),
  },
};

/** How long a user waits for `parley agent`. */
export const agentStart: Case = {
  name: 'agent-start',
  title: '`parley agent` from its start to its initialize answer',
  metrics: [time({ kind: 'times-better', atLeast: 1.5 })],
  contenders: {
    ours: () =>
      withEmptyHome(async ({ env }) => ({
        milliseconds: await timeToInitialize([parley, 'agent'], env),
      })),
    official: async () => ({ milliseconds: await timeToInitialize([programPath('agent-official')]) }),
    limit: async () => ({ milliseconds: await timeToInitialize([bareAgent]) }),
  },
};

/** What a script waits for one short answer. */
export const shortTurn: Case = {
  name: 'short-turn',
  title: '`parley run` with our own agent, one short turn, start and end included',
  metrics: [time({ kind: 'part', atMost: 2 })],
  contenders: {
    ours: () =>
      withEmptyHome((options) =>
        timed([parley, 'run', '--format', 'quiet', 'say: hello'], {
          ...options,
          verify: (output) => output.includes('hello'),
        }),
      ),
    official: () =>
      timed([official, promptOf({ kind: 'chunks', count: 1 }), programPath('agent-official')], {
        verify: (output) => output === `${streamText(0)}\n`,
      }),
  },
};

/** What holding an agent costs: each run is beside the same one without a sandbox. */
export const sandboxedTurn: Case = {
  name: 'sandboxed-turn',
  title:
    '`parley run --sandbox workspace` with an agent of the official SDK, one short turn, beside the same without',
  metrics: [
    { key: 'times', title: 'time', unit: 'times', better: 'less', goal: { kind: 'value', atMost: 1.2 } },
    {
      key: 'timesWithHosts',
      title: 'time, with a list of hosts',
      unit: 'times',
      better: 'less',
      goal: { kind: 'value', atMost: 1.2 },
    },
    { ...time({ kind: 'none' }), title: 'with the sandbox' },
  ],
  contenders: {
    ours: () =>
      withEmptyHome(async (options) => {
        const turn = (mode: string): Promise<Sample> => {
          const prompt = promptOf({ kind: 'chunks', count: 1 });
          const agent = [process.execPath, programPath('agent-official')];
          const words = [parley, 'run', '--format', 'quiet', '--sandbox', mode, prompt, '--', ...agent];
          return timed(words, { ...options, verify: (output) => output.trim() === streamText(0).trim() });
        };
        const without = numberAt(await turn('off'), 'milliseconds');
        const held = numberAt(await turn('workspace'), 'milliseconds');
        await writeFile(
          join(options.env['PARLEY_HOME'] ?? '', 'config.json'),
          JSON.stringify({ sandbox: { network: ['example.com'] } }),
        );
        const withHosts = numberAt(await turn('workspace'), 'milliseconds');
        return { times: held / without, timesWithHosts: withHosts / without, milliseconds: held };
      }),
  },
};

function receive(
  whose: 'ours' | 'official',
  work: Extract<Work, { readonly count: number }>,
): Promise<Sample> {
  return withEmptyHome(async (options) => {
    const prompt = promptOf(work);
    const args =
      whose === 'ours'
        ? [parley, 'run', '--format', 'quiet', prompt, '--', process.execPath, bareAgent]
        : [official, prompt, bareAgent];
    const characters = work.kind === 'chunks' ? work.count * streamText(0).length : 0;
    const { milliseconds } = await timed(args, {
      ...options,
      verify: (output) => Math.abs(output.length - characters) <= 1,
    });
    return { rate: (work.count * 1000) / milliseconds };
  });
}

function send(
  agentCommand: readonly string[],
  work: Extract<Work, { readonly count: number }>,
): Promise<Sample> {
  return withEmptyHome(async ({ env }) => {
    const report = await runClient('bare', agentCommand, work, env);
    return { rate: work.count / numberAt(report, 'seconds') };
  });
}

interface TimedOptions extends NodeRunOptions {
  verify(output: string): boolean;
}

async function timed(
  args: readonly string[],
  { verify, ...options }: TimedOptions,
): Promise<{ readonly milliseconds: number }> {
  const start = performance.now();
  const output = await runNode(args, options);
  const milliseconds = performance.now() - start;
  if (verify(output)) return { milliseconds };
  throw new Error(`unexpected output of ${output.length} characters: ${output.slice(0, 200)}`);
}

/**
 * Runs with a configuration folder and a workspace of its own, both empty, and without the user's keys, so that none of them is
 * used: a turn takes a checkpoint of its workspace, which costs what that has in files.
 */
async function withEmptyHome<T>(run: (options: Required<NodeRunOptions>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const cwd = join(folder, 'workspace');
  const entries = Object.entries(process.env).filter(
    ([name]) => !name.endsWith('_API_KEY') && name !== 'LLM_PROVIDER',
  );
  const env = { ...Object.fromEntries(entries), PARLEY_HOME: join(folder, 'home') };
  try {
    await mkdir(cwd);
    return await run({ env, cwd });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

function time(goal: Metric['goal']): Metric {
  return { key: 'milliseconds', title: 'time', unit: 'milliseconds', better: 'less', goal };
}
