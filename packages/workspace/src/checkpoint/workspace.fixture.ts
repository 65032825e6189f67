import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory, type TemporaryDirectory } from '../temporary-directory.fixture.ts';
import type { FileChange } from './checkpoint.ts';
import { openCheckpoints, type Checkpoints, type CheckpointsOptions } from './checkpoints.ts';

/** A workspace and its checkpoints, for one test. */
export interface TestWorkspace extends AsyncDisposable {
  /** The workspace. */
  readonly folder: string;
  /** A folder of its own, outside of the workspace. */
  readonly stateDir: string;
  readonly checkpoints: Checkpoints;
  at(name: string): string;
  /** Writes files, and the folders they are in. */
  write(files: Readonly<Record<string, string | Buffer>>): Promise<void>;
  /** Runs the user's git in the workspace. */
  git(...args: readonly string[]): Promise<string>;
}

export async function testWorkspace(options: Partial<CheckpointsOptions> = {}): Promise<TestWorkspace> {
  const directory: TemporaryDirectory = await temporaryDirectory();
  const folder = options.workspace ?? directory.at('workspace');
  const stateDir = options.stateDir ?? directory.at('state');
  await mkdir(folder, { recursive: true });
  const checkpoints = await openCheckpoints({ ...options, workspace: folder, stateDir });
  const at = (name: string): string => path.join(folder, name);
  return {
    folder,
    stateDir,
    checkpoints,
    at,
    write: async (files) => await writeFiles(folder, files),
    git: async (...args) => await userGit(folder, args),
    async [Symbol.asyncDispose]() {
      await checkpoints[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Writes files below a folder, and the folders they are in. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

/** Runs git as a user does, with settings that do not depend on the machine. */
export async function userGit(folder: string, args: readonly string[]): Promise<string> {
  const settings = [
    'user.name=User',
    'user.email=user@example.com',
    'commit.gpgsign=false',
    'init.defaultBranch=main',
    'protocol.file.allow=always',
  ];
  const { stdout } = await promisify(execFile)(
    'git',
    [...settings.flatMap((setting) => ['-c', setting]), ...args],
    {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return stdout;
}

/** Changes in short: status and path. */
export function inShort(changes: readonly FileChange[]): readonly string[] {
  return changes.map(
    ({ status, path: name }) => `${status} ${typeof name === 'string' ? name : name.base64}`,
  );
}
