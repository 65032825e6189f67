import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { HolderInput, HolderResult } from './holder.fixture.ts';

/** How the program that opens a sandbox is started. */
export interface RunHolderOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A command line in front of Node. @default none */
  readonly wrapper?: readonly string[];
  /** A file that it inherits as a descriptor. */
  readonly inherited?: number;
}

/** Opens a sandbox in a process of its own, runs commands in it, and returns their results. */
export async function runHolder(
  input: HolderInput,
  options: RunHolderOptions = {},
): Promise<readonly HolderResult[]> {
  const { env = {}, wrapper = [], inherited } = options;
  await using program = await programFile('holder');
  const [command, ...args] = [...wrapper, process.execPath, program.path, JSON.stringify(input)];
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(inherited === undefined ? [] : [inherited])],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  }
  await new Promise((resolve) => child.once('close', resolve));
  if (output.stderr !== '') process.stderr.write(output.stderr);
  return output.stdout
    .trim()
    .split('\n')
    .map((line) => {
      const result: HolderResult = JSON.parse(line);
      return result;
    });
}

/** A bundled program of the tests, copied to where any user can read it. */
export async function programFile(
  name: string,
): Promise<AsyncDisposable & { readonly path: string; readonly folder: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-program-'));
  await chmod(folder, 0o755);
  const file = path.join(folder, `${name}.mjs`);
  const programs = path.join(process.env['PARLEY_TEST_PROGRAMS'] ?? '', 'conformance', 'test', 'sandbox');
  await copyFile(path.join(programs, `${name}.fixture.js`), file);
  await chmod(file, 0o644);
  return {
    path: file,
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
