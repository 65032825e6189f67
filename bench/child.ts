import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const programs = fileURLToPath(new URL('./programs/', import.meta.url));
const limitMs = 300_000;

/** Where a program of the bench lies after the build. */
export function programPath(name: string): string {
  return `${programs}${name}.mjs`;
}

/** How Node is run. */
export interface NodeRunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** How a program of the bench is run. */
export interface RunOptions extends NodeRunOptions {
  readonly nodeOptions?: readonly string[];
}

/** Runs a program of the bench in a process of its own; gives the JSON it prints. */
export async function runProgram(
  name: string,
  args: readonly string[] = [],
  { nodeOptions = [], ...options }: RunOptions = {},
): Promise<unknown> {
  const output = await runNode([...nodeOptions, programPath(name), ...args], options);
  return JSON.parse(output);
}

/** Runs Node to its end, and gives what it wrote to standard output; a status other than 0 is an error. */
export async function runNode(args: readonly string[], options: NodeRunOptions = {}): Promise<string> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    ...options,
  });
  const status = new Promise<number | string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  const [output, complaint, ended] = await Promise.all([text(child.stdout), text(child.stderr), status]);
  if (ended === 0) return output;
  throw new Error(
    `${args
      .map((arg) => basename(arg))
      .join(' ')
      .slice(0, 120)}: ended with ${ended}: ${gist(complaint)}`,
  );
}

/** The line that says what went wrong, out of what a process wrote before it failed. */
function gist(complaint: string): string {
  const lines = complaint.trim().split('\n');
  // Playwright begins its errors with the call that failed: `page.goto: …`.
  return lines.find((line) => /^(?:\w*Error\b|\w+\.\w+: )/.test(line)) ?? lines.at(-1) ?? '';
}
