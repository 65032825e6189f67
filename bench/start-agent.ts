import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { spreadOf } from './statistics.ts';

const initialize =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}\n';

const limitMs = 20_000;

/** The median time, of a few starts, from starting an agent's process to its answer to `initialize`. */
export async function timeToInitialize(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < 5; start++) times.push(await startOnce(args, env));
  return spreadOf(times).median;
}

async function startOnce(args: readonly string[], env: NodeJS.ProcessEnv | undefined): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: limitMs,
    ...(env && { env }),
  });
  const exited = once(child, 'exit');
  child.stdin.write(initialize);
  let line = '';
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    line += chunk;
    if (line.includes('\n')) break;
  }
  const milliseconds = performance.now() - start;
  child.stdin.end();
  child.stdout.resume();
  await exited;
  if (line.includes('"protocolVersion":1')) return milliseconds;
  throw new Error(`not an answer to initialize: ${line.slice(0, 200)}`);
}
