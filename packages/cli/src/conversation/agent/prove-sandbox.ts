import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProcess, WorkspaceError } from '@parley/workspace';
import { openSandbox, type SandboxEngine, type SandboxPlan } from '@parley/workspace/sandbox';

/** Runs a command that does nothing in a sandbox. Returns why it did not start. */
export async function proveSandbox(engine: SandboxEngine): Promise<string | undefined> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-sandbox-proof-')));
  try {
    await using sandbox = await openSandbox(planFor(folder), engine);
    const held = sandbox.hold({
      command: process.execPath,
      args: ['--version'],
      cwd: folder,
      input: 'ignore',
    });
    await using group = await startProcess(held.options);
    group.stdout.resume();
    group.stderr.resume();
    const { exitCode, signal } = await group.closed;
    const trouble = await held.trouble();
    if (trouble !== undefined || exitCode === 0) return trouble;
    return `a command in it ended with ${String(exitCode ?? signal)}`;
  } catch (error) {
    if (error instanceof WorkspaceError) return error.message;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function planFor(folder: string): SandboxPlan {
  return {
    mode: 'workspace',
    folders: [folder],
    stateDirs: [],
    write: [],
    read: 'all',
    program: [process.execPath],
    hide: [],
    ownState: [],
    network: 'off',
  };
}
