import type { Case, Metric, Sample } from '../case.ts';
import { runProgram } from '../child.ts';
import { numberAt, numbersOf } from '../sample.ts';

/** What checking an update costs beyond parsing its line. */
export const validation: Case = {
  name: 'validation',
  title: 'validating a tool_call_update',
  metrics: [costs('microseconds', 'time', 'microseconds', { kind: 'times-better', atLeast: 50 })],
  contenders: {
    ours: (scale) => take('microseconds', 'validation-ours', [String(scale.count(1_000_000))]),
    official: (scale) => take('microseconds', 'validation-official', [String(scale.count(100_000))]),
  },
};

/** What a host pays for each agent it is connected to. */
export const heap: Case = {
  name: 'heap',
  title: 'a connected pair of sides with a session, in memory',
  metrics: [costs('bytes', 'heap', 'bytes', { kind: 'part', atMost: 0.25 })],
  contenders: {
    ours: () => take('bytes', 'heap-ours', ['500'], ['--expose-gc']),
    official: () => take('bytes', 'heap-official', ['500'], ['--expose-gc']),
  },
};

/** What a program pays before its first line. */
export const importTime: Case = {
  name: 'import',
  title: 'importing the package in a fresh process',
  metrics: [costs('milliseconds', 'time', 'milliseconds', { kind: 'part', atMost: 0.2 })],
  contenders: {
    ours: () => take('milliseconds', 'import-time', ['@parley/acp']),
    official: () => take('milliseconds', 'import-time', ['@agentclientprotocol/sdk']),
    'vscode-jsonrpc': () => take('milliseconds', 'import-time', ['vscode-jsonrpc/node']),
  },
};

function costs(key: string, title: string, unit: Metric['unit'], goal: Metric['goal']): Metric {
  return { key, title, unit, better: 'less', goal };
}

async function take(
  key: string,
  program: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<Sample> {
  return { [key]: numberAt(numbersOf(await runProgram(program, args, { nodeOptions })), key) };
}
