import { execFileSync } from 'node:child_process';
import { startProcess } from '@parley/workspace';
import {
  mostStarts,
  openSandbox,
  type Sandbox,
  type SandboxEngine,
  type SandboxPlan,
} from '@parley/workspace/sandbox';

/** Runs commands in one sandbox, one after the other. The first argument is what to run. Prints a line of JSON for each. */
export interface HolderInput {
  readonly plan: SandboxPlan;
  readonly engine: SandboxEngine;
  readonly cwd: string;
  readonly commands: readonly (readonly string[])[];
  /** Runs outside of the sandbox after each command. @default nothing */
  readonly between?: readonly string[];
  /** Opens a second sandbox, which it does not close. @default false */
  readonly isTwice?: boolean;
}

/** The result of a command, or of opening the sandbox. */
export interface HolderResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly trouble?: string;
}

const input: HolderInput = JSON.parse(process.argv[2] ?? '');
try {
  await using sandbox = await openSandbox(input.plan, input.engine);
  if (input.isTwice === true) await openSandbox(input.plan, input.engine);
  for (const commandLine of input.commands) {
    let result = await run(sandbox, commandLine);
    // As Parley does: sockets of other tests come and go.
    for (let starts = 1; result.isPassing && starts < mostStarts; starts += 1) {
      result = await run(sandbox, commandLine);
    }
    print(result.result);
    const [program, ...words] = input.between ?? [];
    if (program !== undefined) execFileSync(program, words);
  }
} catch (error) {
  print({ exitCode: null, stdout: '', stderr: '', trouble: String(error) });
}

async function run(
  sandbox: Sandbox,
  [command = '', ...args]: readonly string[],
): Promise<{ readonly result: HolderResult; readonly isPassing: boolean }> {
  const held = sandbox.hold({ command, args, cwd: input.cwd, input: 'ignore' });
  await using group = await startProcess(held.options);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    group[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  }
  const { exitCode } = await group.closed;
  const trouble = await held.trouble();
  const result = { exitCode, ...output, ...(trouble !== undefined && { trouble: trouble.message }) };
  return { result, isPassing: trouble?.isPassing === true };
}

function print(result: HolderResult): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
