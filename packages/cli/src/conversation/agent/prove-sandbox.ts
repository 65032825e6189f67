import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WorkspaceError } from '@parley/workspace';
import { openSandbox, runHeld, type SandboxEngine, type SandboxPlan } from '@parley/workspace/sandbox';

/** Runs a command that does nothing in a sandbox. Returns why it did not start. */
export async function proveSandbox(engine: SandboxEngine): Promise<string | undefined> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-sandbox-proof-')));
  try {
    await using sandbox = await openSandbox(planFor(folder), engine);
    const command = { command: process.execPath, args: ['--version'], cwd: folder };
    const { result, trouble } = await runHeld(sandbox, command);
    if (trouble !== undefined) return trouble;
    const { exitCode, signal } = result.status;
    return exitCode === 0 ? undefined : `a command in it ended with ${String(exitCode ?? signal)}`;
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
