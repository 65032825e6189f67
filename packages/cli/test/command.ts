import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.ts';

/** The bundled command, a file for `node`; the global set-up of the tests makes it. */
export const commandFile: string = process.env['PARLEY_TEST_BIN'] ?? '';

const agents = fileURLToPath(new URL('agents/', import.meta.url));

/** The command line of the agent that does what the script says. */
export function scripted(script: object): string[] {
  return [process.execPath, path.join(agents, 'scripted.mjs'), JSON.stringify(script)];
}

/** The command line of the agent that floods its client. */
export function flooding(count: number, kind?: string): string[] {
  return [
    process.execPath,
    path.join(agents, 'flood.mjs'),
    String(count),
    ...(kind === undefined ? [] : [kind]),
  ];
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; by default there is none. */
  readonly input?: string;
}

/** What a command has written and how it ended. */
export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One line of `--format json`. */
export type Line = Readonly<Record<string, unknown>> & { readonly type: string };

/** An environment in which neither the user's configuration nor a provider's key plays a part. */
export function cleanEnv(home: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/_API_KEY$|^LLM_PROVIDER$|^PARLEY_|^FORCE_COLOR$/.test(name),
  );
  return {
    ...Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    PARLEY_HOME: home,
    ...more,
  };
}

/** A folder of its own for a test; it is removed when the test disposes of it. */
export async function temporaryFolder(base = tmpdir()): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(path.join(base, 'parley-cli-'));
  return {
    path: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Starts `parley` with these words. */
export function startParley(
  words: readonly string[],
  options: CommandOptions = {},
): ChildProcessWithoutNullStreams {
  const cwd = options.cwd ?? tmpdir();
  return spawn(process.execPath, [commandFile, ...words], {
    cwd,
    env: cleanEnv(path.join(cwd, '.home'), options.env),
  });
}

/** An agent of a test, as the configuration has it. */
interface ConfiguredAgent {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, unknown>>;
  readonly options?: readonly object[];
}

/** Writes the user's configuration of commands that are started in this folder: one agent, with variables of its own. */
export async function configureAgent(
  folder: string,
  name: string,
  { words, env, options }: ConfiguredAgent,
): Promise<void> {
  const [command, ...args] = words;
  await mkdir(path.join(folder, '.home'), { recursive: true });
  await writeFile(
    path.join(folder, '.home', 'config.json'),
    JSON.stringify({ agents: { [name]: { command, args, env, options } } }),
  );
}

/**
 * Runs `parley` with these words to its end, in a process that may have run others before. A test of what belongs to a process,
 * such as its signals, its terminal and what it starts with, uses {@link startParley}.
 */
export async function parley(words: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  if (speaks.has(words[0])) return parleyAlone(words, options);
  const { cwd = tmpdir(), input = '' } = options;
  return runCommand({
    file: commandFile,
    words,
    cwd,
    env: cleanEnv(path.join(cwd, '.home'), options.env),
    input,
  });
}

/** The commands that speak a protocol on the standard input and output of their process. */
const speaks: ReadonlySet<string | undefined> = new Set(['agent', 'proxy', 'replay']);

/** Runs `parley` with these words to its end, in a process of its own. */
export async function parleyAlone(words: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  const child = startParley(words, options);
  const finished = finish(child);
  child.stdin.end(options.input ?? '');
  return finished;
}

/** Gathers what a command writes until it has ended. */
export async function finish(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that ends without reading its input is no failure of the test.
  child.stdin.on('error', () => undefined);
  await once(child, 'close');
  return { status: child.exitCode, stdout, stderr };
}

/** The events of a `--format json` output, checked for what holds for each of them. */
export function toLines(stdout: string): Line[] {
  if (!stdout.endsWith('\n')) throw new Error(`the last line is not ended: ${stdout.slice(-200)}`);
  return stdout
    .trimEnd()
    .split('\n')
    .map((text, index) => {
      const line = JSON.parse(text) as Line;
      if (line['v'] !== 1 || line['seq'] !== index + 1) {
        throw new Error(`line ${String(index + 1)} is not numbered: ${text}`);
      }
      if (new Date(String(line['time'])).toISOString() !== line['time']) {
        throw new Error(`no ISO 8601 time: ${text}`);
      }
      return line;
    });
}

/** The one stop line, which is the last. */
export function stopOf(lines: readonly Line[]): Line {
  const stops = lines.filter(({ type }) => type === 'stop');
  const last = lines.at(-1);
  if (stops.length !== 1 || last === undefined || last !== stops[0]) {
    throw new Error('there is not exactly one stop line, at the end');
  }
  return last;
}

/** Settles when the text has appeared in what a stream delivers from now on. */
export function seen(stream: NodeJS.ReadableStream, text: string): Promise<void> {
  let before = '';
  return new Promise((resolve) => {
    stream.on('data', (chunk: string | Buffer) => {
      before += chunk.toString();
      if (before.includes(text)) resolve();
    });
  });
}

/** Whether a process runs: not one that has ended and waits to be collected. Only on Linux. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /u.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
